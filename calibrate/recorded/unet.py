"""unet.py - what a diffusion model asks for each picture, with random weights: --steps steps of a U-Net with attention,
which is asked what of --batch latent pictures is noise; noise in, what is left of it out. With --graph 1 the kernels of a
step are launched as one CUDA graph."""

import torch
import torch.nn.functional as F
from serve import arguments, captured, serve
from torch import nn

WIDTHS, HEADS, LATENT, SIDE = (192, 384, 768), 12, 4, 64


class Block(nn.Module):
    def __init__(self, before, width):
        super().__init__()
        self.norm1, self.norm2 = nn.GroupNorm(32, before), nn.GroupNorm(32, width)
        self.conv1, self.conv2 = nn.Conv2d(before, width, 3, padding=1), nn.Conv2d(width, width, 3, padding=1)
        self.moment, self.past = nn.Linear(4 * WIDTHS[0], width), nn.Conv2d(before, width, 1)

    def forward(self, x, moment):
        y = self.conv1(F.silu(self.norm1(x))) + self.moment(moment)[:, :, None, None]
        return self.past(x) + self.conv2(F.silu(self.norm2(y)))


class Attention(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm, self.qkv, self.out = nn.GroupNorm(32, width), nn.Linear(width, 3 * width), nn.Linear(width, width)

    def forward(self, x):
        b, c, h, w = x.shape
        y = self.norm(x).flatten(2).transpose(1, 2)
        q, k, v = self.qkv(y).view(b, h * w, 3, HEADS, c // HEADS).permute(2, 0, 3, 1, 4)
        y = F.scaled_dot_product_attention(q, k, v).transpose(1, 2).reshape(b, h * w, c)
        return x + self.out(y).transpose(1, 2).reshape(b, c, h, w)


class UNet(nn.Module):
    def __init__(self):
        super().__init__()
        first, last = WIDTHS[0], WIDTHS[-1]
        self.moment = nn.Sequential(nn.Linear(first, 4 * first), nn.SiLU(), nn.Linear(4 * first, 4 * first))
        self.begin, self.end = nn.Conv2d(LATENT, first, 3, padding=1), nn.Conv2d(first, LATENT, 3, padding=1)
        self.down = nn.ModuleList(Block(a, b) for a, b in zip((first, *WIDTHS), WIDTHS))
        self.middle = nn.ModuleList([Block(last, last), Attention(last), Block(last, last)])
        self.up = nn.ModuleList(Block(a + b, b) for a, b in zip((last, *WIDTHS[:0:-1]), WIDTHS[::-1]))
        self.look = nn.ModuleList(Attention(width) for width in WIDTHS[1:])

    def forward(self, x, moment):
        angle = moment[:, None] * torch.exp(torch.linspace(0, -9, WIDTHS[0] // 2, device=x.device)).to(x.dtype)
        moment = self.moment(torch.cat([angle.sin(), angle.cos()], 1))
        x, kept = self.begin(x), []
        for i, block in enumerate(self.down):
            x = block(F.avg_pool2d(x, 2) if i else x, moment)
            x = self.look[i - 1](x) if i else x
            kept.append(x)
        x = self.middle[2](self.middle[1](self.middle[0](x, moment)), moment)
        for i, block in enumerate(self.up):
            x = block(torch.cat([F.interpolate(x, scale_factor=2.0) if i else x, kept.pop()], 1), moment)
        return self.end(x)


def step():
    """A step by Euler: the picture is changed in place, and so is the moment."""
    picture.sub_(model(picture, moment) / a.steps)
    moment.sub_(1000 / a.steps)


a = arguments(__doc__, batch=8, steps=1, graph=0)
torch.manual_seed(1)
model = UNet().half().cuda().eval().to(memory_format=torch.channels_last)
noise = torch.randn(a.batch, LATENT, SIDE, SIDE).half().to(memory_format=torch.channels_last).pin_memory()
picture, moment = noise.cuda(), torch.full((a.batch,), 1000.0, dtype=torch.float16, device="cuda")
launch = captured(step) if a.graph else step


def request():
    picture.copy_(noise, non_blocking=True)
    moment.fill_(1000)
    for _ in range(a.steps):
        launch()
    return picture.cpu()


serve("request", request, a)
