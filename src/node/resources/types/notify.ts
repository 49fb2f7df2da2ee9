import { anyKind, createEnumKind, textKind } from '../attribute-kinds.ts'
import { defineNamevar, defineParameter, defineProperty, defineType } from '../type.ts'

/** The resource type `notify`: messages in the log of a run. */
export const notifyType = defineType('notify', {
  appliesTo: 'both',
  doc: 'Sends an arbitrary message, specified as a string, to the agent run-time log.',
  providesItself: true,
  attributes: {
    name: defineNamevar(textKind, 'A unique name of the resource, and the default of `message`.'),
    message: defineProperty(
      { ...anyKind, bytes: true },
      'The message. Values other than strings are printed in Ruby notation.',
      {
        idempotent: false,
        default: (resource) => resource.name,
      },
    ),
    withpath: defineParameter(createEnumKind('true', 'false'), 'If true, the path of the resource is logged, too.', {
      default: 'false',
    }),
    provider: defineParameter(anyKind, 'The backend.'),
  },
})
