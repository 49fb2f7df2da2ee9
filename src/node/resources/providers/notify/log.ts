import { inspectPlainValue, type PlainValue } from '../../attribute-kinds.ts'
import { defineProvider } from '../../provider.ts'
import { notifyType } from '../../types/notify.ts'

/** The provider of `notify`, which writes the message to the log. */
export const notifyLog = defineProvider(notifyType, 'log', {
  doc: 'Writes the message to the log of the run.',
  read: async () => ({ message: 'absent' }),
  inSync: { message: () => false },
  set: {
    async message({ resource, log }, should: PlainValue) {
      const shown = resource.hides('message') ? 'Sensitive [value redacted]' : formatMessage(should)
      const level = resource.meta('loglevel') ?? 'notice'
      if (resource.get('withpath') === 'true') log(level, shown, 'message')
      else log(level, shown, '')
    },
  },
})

/** The text of a message: strings unchanged, arrays joined by spaces, other values converted like Ruby's `to_s`. */
function formatMessage(message: PlainValue): string {
  if (Array.isArray(message)) return message.map(formatMessage).join(' ')
  return typeof message === 'object' && message !== null ? inspectPlainValue(message) : String(message ?? '')
}
