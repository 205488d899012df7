"""decoder.py - a GPT-like decoder with random weights. --prefill 1: a request is a batch of prompts of --context tokens;
else it is one more token for each text of the batch, behind --context tokens that are remembered. With --graph 1 its
kernels are launched as one CUDA graph."""

import torch
import torch.nn.functional as F
from serve import arguments, captured, serve
from torch import nn

WIDTH, HEADS, LAYERS, WORDS = 2048, 16, 24, 32000


class Layer(nn.Module):
    def __init__(self, batch, context):
        super().__init__()
        self.qkv, self.out = nn.Linear(WIDTH, 3 * WIDTH, bias=False), nn.Linear(WIDTH, WIDTH, bias=False)
        self.up, self.down = nn.Linear(WIDTH, 4 * WIDTH, bias=False), nn.Linear(4 * WIDTH, WIDTH, bias=False)
        self.norm1, self.norm2 = nn.RMSNorm(WIDTH), nn.RMSNorm(WIDTH)
        for name in ("keys", "values"):
            self.register_buffer(name, torch.randn(batch, HEADS, context + 1, WIDTH // HEADS))

    def forward(self, x, prefill):
        b, n, _ = x.shape
        q, k, v = self.qkv(self.norm1(x)).view(b, n, 3, HEADS, WIDTH // HEADS).permute(2, 0, 3, 1, 4)
        first = 0 if prefill else self.keys.shape[2] - 1
        self.keys[:, :, first : first + n] = k
        self.values[:, :, first : first + n] = v
        if not prefill:
            k, v = self.keys, self.values
        y = F.scaled_dot_product_attention(q, k, v, is_causal=prefill).transpose(1, 2).reshape(b, n, WIDTH)
        x = x + self.out(y)
        return x + self.down(F.silu(self.up(self.norm2(x))))


class Decoder(nn.Module):
    def __init__(self, batch, context):
        super().__init__()
        self.words, self.head = nn.Embedding(WORDS, WIDTH), nn.Linear(WIDTH, WORDS, bias=False)
        self.layers = nn.ModuleList(Layer(batch, context) for _ in range(LAYERS))

    def forward(self, text, prefill):
        x = self.words(text)
        for layer in self.layers:
            x = layer(x, prefill)
        return self.head(x[:, -1]).argmax(-1)


a = arguments(__doc__, batch=4, context=512, prefill=0, graph=0)
torch.manual_seed(1)
with torch.device("cuda"):
    torch.set_default_dtype(torch.float16)
    model = Decoder(a.batch, a.context).eval()
text = torch.randint(WORDS, (a.batch, a.context if a.prefill else 1)).pin_memory()
if a.graph:
    inside = text.cuda()
    replay = captured(lambda: model(inside, bool(a.prefill)))


def request():
    if a.graph:
        inside.copy_(text, non_blocking=True)
        return replay().cpu()
    return model(text.cuda(non_blocking=True), bool(a.prefill)).cpu()


serve("prefill" if a.prefill else "decode", request, a)
