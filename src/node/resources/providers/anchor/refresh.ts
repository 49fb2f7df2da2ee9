import { defineProvider } from '../../provider.ts'
import { anchor } from '../../types/anchor.ts'

/** Changes nothing; passes refreshes on. */
export const refresh = defineProvider(anchor, 'refresh', {
  doc: 'Does nothing; a refresh goes on to what subscribes to the anchor.',
  read: async () => ({}),
  refresh: async () => {},
})
