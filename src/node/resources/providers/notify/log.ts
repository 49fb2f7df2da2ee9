import { inspect, type Plain } from '../../kind.ts'
import { defineProvider } from '../../provider.ts'
import { notify } from '../../types/notify.ts'

/** Writes the message to the log. */
export const log = defineProvider(notify, 'log', {
  doc: 'Writes the message to the log of the run.',
  read: async () => ({ message: 'absent' }),
  inSync: { message: () => false },
  set: {
    async message({ resource, log }, should: Plain) {
      const shown = resource.hides('message') ? 'Sensitive [value redacted]' : shownAs(should)
      const level = resource.meta('loglevel') ?? 'notice'
      if (resource.get('withpath') === 'true') log(level, shown, 'message')
      else log(level, shown, '')
    },
  },
})

/** The text of a message: strings unchanged, arrays joined by spaces, other values converted like Ruby's `to_s`. */
function shownAs(message: Plain): string {
  if (Array.isArray(message)) return message.map(shownAs).join(' ')
  return typeof message === 'object' && message !== null ? inspect(message) : String(message ?? '')
}
