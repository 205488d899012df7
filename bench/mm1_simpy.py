"""M/M/1 in SimPy, the same model as peers.sh gives dcsim; prints the mean response in ms."""
import random
import sys

import simpy

rate, mean, horizon = float(sys.argv[1]), float(sys.argv[2]), float(sys.argv[3])
rng = random.Random(1)
total = [0, 0.0]


def request(env, server):
    arrived = env.now
    with server.request() as turn:
        yield turn
        yield env.timeout(rng.expovariate(1 / mean))
    total[0] += 1
    total[1] += env.now - arrived


def source(env, server):
    while True:
        yield env.timeout(rng.expovariate(rate))
        env.process(request(env, server))


env = simpy.Environment()
env.process(source(env, simpy.Resource(env)))
env.run(until=horizon)
print("%d requests, mean response %.3f ms" % (total[0], 1000 * total[1] / total[0]))
