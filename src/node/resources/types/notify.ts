import { anything, oneOf, text } from '../kind.ts'
import { defineType, namevar, parameter, property } from '../type.ts'

/** Messages in the log of a run. */
export const notify = defineType('notify', {
  appliesTo: 'both',
  doc: 'Sends an arbitrary message, specified as a string, to the agent run-time log.',
  providesItself: true,
  attributes: {
    name: namevar(text, 'A unique name of the resource, and the default of `message`.'),
    message: property(
      { ...anything, bytes: true },
      'The message. Values other than strings are printed in Ruby notation.',
      {
        idempotent: false,
        default: (resource) => resource.name,
      },
    ),
    withpath: parameter(oneOf('true', 'false'), 'If true, the path of the resource is logged, too.', {
      default: 'false',
    }),
    provider: parameter(anything, 'The backend.'),
  },
})
