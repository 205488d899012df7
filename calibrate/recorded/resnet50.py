"""resnet50.py - ResNet-50 with random weights: a batch of pictures in, the number of a class for each out."""

import torch
import torchvision
from serve import arguments, serve

a = arguments(__doc__, batch=16)
torch.manual_seed(1)
model = torchvision.models.resnet50(weights=None).half().cuda().eval().to(memory_format=torch.channels_last)
pictures = torch.randn(a.batch, 3, 224, 224).half().to(memory_format=torch.channels_last).pin_memory()
serve("request", lambda: model(pictures.cuda(non_blocking=True)).argmax(-1).cpu(), a)
