import { defineProvider } from '../../provider.ts'
import { anchor } from '../../types/anchor.ts'

/** The provider of `anchor`, which changes nothing and passes refreshes on. */
export const refresh = defineProvider(anchor, 'refresh', {
  doc: 'Does nothing; forwards refresh events to subscribers of the anchor.',
  read: async () => ({}),
  refresh: async () => {},
})
