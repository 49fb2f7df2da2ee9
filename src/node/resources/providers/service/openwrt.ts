import { runProgram } from '../../provider.ts'
import { init, scriptOf, viaScript } from './init.ts'
import { serviceProvider } from './plain-service.ts'
import type { ServiceWork } from './service-commands.ts'

/** OpenWrt init scripts, which enable themselves and report no status. */
export const openwrt = serviceProvider('openwrt', {
  doc: 'Support for OpenWrt flavored init scripts. Uses `/etc/init.d/service_name enable`, `disable` and `enabled`.',
  suitable: { facts: { 'os.name': ['OpenWrt'] } },
  defaultFor: { 'os.name': ['OpenWrt'] },
  command: (work, action) => (action === 'status' ? undefined : viaScript(work, action)),
  boot: {
    isEnabled: async (work) => ((await asked(work, 'enabled')) ? 'true' : 'false'),
    // The exit status is ignored; the next run checks again.
    enable: async (work) => void (await asked(work, 'enable')),
    disable: async (work) => void (await asked(work, 'disable')),
  },
  ...(init.list && { list: init.list }),
})

async function asked(work: ServiceWork, word: string): Promise<boolean> {
  return (await runProgram(work.system, [await scriptOf(work), word])).status === 0
}
