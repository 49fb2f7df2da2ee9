import { codePart } from './code.ts'
import { compileAheadPart } from './compile-ahead.ts'
import { controlSocketPart } from './control-socket.ts'
import { environmentsPart } from './environments.ts'
import { gatePart } from './gate/gate.ts'
import { movedBranchesPart } from './gate/moved-branches.ts'
import { definePart } from './part.ts'

/** Runs the gate for branches that moved without the hooks, and fetches sources on their intervals. */
export const sourcePollingPart = definePart(
  'following',
  [codePart, environmentsPart, compileAheadPart, gatePart, movedBranchesPart, controlSocketPart],
  async ({ code: { sources }, environments: { environments }, compiling, gate, movedBranches }) => {
    const refresh = () => environments.refresh()
    await movedBranches?.begin(compiling.requestsRead, { tryMove: gate.tryMove, decided: refresh })
    sources?.begin(refresh)
    return { close: async () => movedBranches?.close() }
  },
)
