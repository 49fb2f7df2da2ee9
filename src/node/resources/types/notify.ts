import { anything, oneOf, text } from '../kind.ts'
import { defineType, namevar, parameter, property } from '../type.ts'

/** Messages in the log of the node. */
export const notify = defineType('notify', {
  appliesTo: 'both',
  doc: 'Sends an arbitrary message, specified as a string, to the agent run-time log.',
  providesItself: true,
  attributes: {
    name: namevar(text, 'A tag for your own reference; the message when there is no other.'),
    message: property(
      { ...anything, bytes: true },
      'The message: text, or any value, which is shown as Ruby shows it.',
      {
        idempotent: false,
        default: (resource) => resource.name,
      },
    ),
    withpath: parameter(oneOf('true', 'false'), 'Whether to show the path of the resource.', { default: 'false' }),
    provider: parameter(anything, 'The backend.'),
  },
})
