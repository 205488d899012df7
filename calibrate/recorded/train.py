"""train.py - a step that trains an encoder with random weights: a batch of vectors and what they should become in, the
loss out. With --graph 1 its kernels are launched as one CUDA graph."""

import torch
import torch.nn.functional as F
from serve import arguments, serve
from torch import nn

WIDTH, HEADS, LAYERS = 768, 12, 12


def captured(step):
    """A request that replays the kernels of a step."""
    side, graph = torch.cuda.Stream(), torch.cuda.CUDAGraph()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        for _ in range(3):
            step()
    torch.cuda.current_stream().wait_stream(side)
    with torch.cuda.graph(graph):
        loss = step()
    return graph.replay, loss


a = arguments(__doc__, batch=16, length=256, graph=0)
torch.manual_seed(1)
layer = nn.TransformerEncoderLayer(WIDTH, HEADS, 4 * WIDTH, dropout=0.0, activation="gelu", batch_first=True, norm_first=True)
model = nn.TransformerEncoder(layer, LAYERS, enable_nested_tensor=False).to("cuda", torch.bfloat16).train()
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4, fused=True, capturable=True)
given, wanted = (torch.randn(a.batch, a.length, WIDTH).to(torch.bfloat16).pin_memory() for _ in range(2))
x, y = given.cuda(), wanted.cuda()


def step():
    with torch.inference_mode(False), torch.enable_grad():
        optimizer.zero_grad(set_to_none=True)
        loss = F.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
        return loss.detach()


if a.graph:
    replay, loss = captured(step)


def request():
    x.copy_(given, non_blocking=True)
    y.copy_(wanted, non_blocking=True)
    if a.graph:
        replay()
        return loss.cpu()
    return step().cpu()


serve("step", request, a)
