import { defineProvider } from '../../provider.ts'
import { notify } from '../../types/notify.ts'

/** Writes the message to the log. */
export const log = defineProvider(notify, 'log', {
  doc: 'Writes the message to the log of the run.',
  read: async () => ({ message: 'absent' }),
  inSync: { message: () => false },
  set: {
    async message({ resource, log }, should: string) {
      const shown = resource.hides('message') ? 'Sensitive [value redacted]' : should
      const level = resource.meta('loglevel') ?? 'notice'
      if (resource.get('withpath') === 'true') log(level, shown, 'message')
      else log(level, shown, '')
    },
  },
})
