import { failWithMessage } from '../../issues.ts'
import { defineProvider, runProviderProgram } from '../../provider.ts'
import { selboolean } from '../../types/selboolean.ts'

/** The provider of `selboolean`, which uses `getsebool` and `setsebool`. */
export const getsetsebool = defineProvider(selboolean, 'getsetsebool', {
  doc: 'Manage SELinux booleans using the getsebool and setsebool binaries.',
  suitable: { commands: ['getsebool', 'setsebool'] },
  async read({ resource, run }) {
    const { output } = await run('getsebool', resource.name)
    const [, value] = / (on|off)$/m.exec(output) ?? []
    return { value: value ?? failWithMessage(`Invalid response '${output.trimEnd()}' returned from getsebool`) }
  },
  set: {
    async value({ resource, system }, should: string) {
      const persist = resource.get('persistent') === 'true' ? ['-P'] : []
      const { status, output } = await runProviderProgram(system, ['setsebool', ...persist, resource.name, should])
      if (status !== 0) failWithMessage(output.split('\n')[0] ?? '')
    },
  },
})
