/*
 * dnn_train.cu - the steps of the gradients of a network, by reverse accumulation.
 *
 * A tensor that several layers read has the sum of their gradients: the later ones add what the
 * earlier ones left (the step's addend) and write a new tensor, so that every gradient is written
 * once. Where channels are concatenated, a reader of the first channels only continues with those
 * (DenseNet: what lies above is final by then).
 */
#include "calibrate/app/dnn_state.h"

/* gradients[memory]: the tensor with what is known of its gradient, from channel 0 on; or none. */

static int gradient_of(struct dnn_net *net, const int *gradients, int tensor)
{
    const struct dnn_tensor_info t = net->tensors[tensor];
    const int known = gradients[t.memory];
    dnn_require(known != DNN_NONE && t.first + t.c <= net->tensors[known].c,
                "a layer's gradient is not known yet");
    if (t.first == 0 && t.c == net->tensors[known].c)
        return known;
    return dnn_slice(net, known, t.first, t.c);
}

static int new_gradient(struct dnn_net *net, int *gradients, int tensor, int *addend)
{
    const struct dnn_tensor_info t = net->tensors[tensor];
    dnn_require(t.first == 0, "a layer reads channels from the middle of a tensor");
    *addend = gradients[t.memory] == DNN_NONE ? DNN_NONE : gradient_of(net, gradients, tensor);
    gradients[t.memory] = dnn_tensor(net, t.h, t.w, t.c);
    return gradients[t.memory];
}

static void add_back(struct dnn_net *net, enum dnn_op op, int of, int *gradients, bool sums)
{
    const struct dnn_step forward = net->steps[of];
    const int x = gradient_of(net, gradients, forward.y);
    int addend = DNN_NONE, y = DNN_NONE;
    if (net->tensors[forward.x].memory != net->tensors[net->steps[0].y].memory) /* the images */
        y = new_gradient(net, gradients, forward.x, &addend);
    dnn_require(addend == DNN_NONE || sums, "a layer cannot add to a gradient");
    struct dnn_step *s = dnn_new_step(net, op, forward.name, x, y);
    s->of = of;
    s->other = addend;
}

void dnn_differentiate(struct dnn_net *net)
{
    int gradients[DNN_TENSORS_MAX];
    for (int i = 0; i < DNN_TENSORS_MAX; i++)
        gradients[i] = DNN_NONE;
    for (int i = net->forward_count - 1; i > 0; i--) {
        const struct dnn_step forward = net->steps[i];
        switch (forward.op) {
        case DNN_LOSS:
            gradients[net->tensors[forward.x].memory] = forward.y;
            break;
        case DNN_CONV:
            dnn_require(forward.conv.groups == 1, "grouped convolutions are not trained");
            add_back(net, DNN_CONV_BACK, i, gradients, true);
            break;
        case DNN_NORM:
            add_back(net, DNN_NORM_BACK, i, gradients, true);
            break;
        case DNN_RELU:
            add_back(net, DNN_RELU_BACK, i, gradients, false);
            break;
        case DNN_POOL:
            add_back(net, DNN_POOL_BACK, i, gradients, false);
            break;
        case DNN_SUM: { /* both inputs have the gradient of the sum */
            const int gradient = gradient_of(net, gradients, forward.y);
            int *const of_x = &gradients[net->tensors[forward.x].memory];
            int *const of_other = &gradients[net->tensors[forward.other].memory];
            dnn_require(*of_x == DNN_NONE && *of_other == DNN_NONE, "a sum is not the last reader");
            *of_x = *of_other = gradient;
            break;
        }
        default:
            dnn_require(false, "a layer that cannot be trained");
        }
    }
    dnn_new_step(net, DNN_UPDATE, "update", DNN_NONE, DNN_NONE);
}
