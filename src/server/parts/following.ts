import { code } from './code.ts'
import { compiling } from './compiling.ts'
import { control } from './control.ts'
import { environments } from './environments.ts'
import { gate } from './gate.ts'
import { movedBranches } from './moved-branches.ts'
import { part } from './part.ts'

/** Tries branches that moved without a hook, and fetches sources on their intervals. */
export const following = part(
  'following',
  [code, environments, compiling, gate, movedBranches, control],
  async ({ code: { sources }, environments: { environments }, compiling, gate, movedBranches }) => {
    const refresh = () => environments.refresh()
    await movedBranches?.begin(compiling.requestsRead, { tryMove: gate.tryMove, decided: refresh })
    sources?.begin(refresh)
    return { close: async () => movedBranches?.close() }
  },
)
