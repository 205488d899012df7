"""encoder.py - a BERT-like encoder with random weights: a batch of token numbers in, a vector for each text out. With
--graph 1 its kernels are launched as one CUDA graph."""

import torch
import torch.nn.functional as F
from serve import arguments, captured, serve
from torch import nn

WIDTH, HEADS, LAYERS, WORDS = 768, 12, 12, 30522


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.qkv, self.out = nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH, WIDTH)
        self.up, self.down = nn.Linear(WIDTH, 4 * WIDTH), nn.Linear(4 * WIDTH, WIDTH)
        self.norm1, self.norm2 = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)

    def forward(self, x):
        b, n, _ = x.shape
        q, k, v = self.qkv(x).view(b, n, 3, HEADS, WIDTH // HEADS).permute(2, 0, 3, 1, 4)
        y = F.scaled_dot_product_attention(q, k, v).transpose(1, 2).reshape(b, n, WIDTH)
        x = self.norm1(x + self.out(y))
        return self.norm2(x + self.down(F.gelu(self.up(x))))


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.words, self.places = nn.Embedding(WORDS, WIDTH), nn.Embedding(512, WIDTH)
        self.layers = nn.ModuleList(Layer() for _ in range(LAYERS))

    def forward(self, text):
        x = self.words(text) + self.places.weight[: text.shape[1]]
        for layer in self.layers:
            x = layer(x)
        return x.mean(1)


a = arguments(__doc__, batch=8, length=128, graph=0)
torch.manual_seed(1)
model = Encoder().half().cuda().eval()
text = torch.randint(WORDS, (a.batch, a.length)).pin_memory()
if a.graph:
    inside = text.cuda()
    replay = captured(lambda: model(inside))


def request():
    if a.graph:
        inside.copy_(text, non_blocking=True)
        return replay().cpu()
    return model(text.cuda(non_blocking=True)).cpu()


serve("request", request, a)
