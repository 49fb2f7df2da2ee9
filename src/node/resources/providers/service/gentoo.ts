import { failWithMessage } from '../../issues.ts'
import { runProviderProgram } from '../../provider.ts'
import { getScriptCommand, init } from './init.ts'
import type { ServiceWork } from './service-commands.ts'
import { defineServiceProvider } from './service-provider.ts'

/** The service provider for init scripts on Gentoo, which are enabled with rc-update. */
export const gentoo = defineServiceProvider('gentoo', {
  doc: "Gentoo's form of `init`-style service management. Uses `rc-update` for service enabling and disabling.",
  suitable: { commands: ['/sbin/rc-update'], facts: { 'os.name': ['Gentoo'] } },
  command: getScriptCommand,
  boot: {
    async isEnabled({ system, resource }) {
      const { output } = await runProviderProgram(system, ['/sbin/rc-update', 'show'])
      const rows = output.split('\n').map((line) => line.split('|').map((part) => part.trim()))
      return rows.some(([name, levels = '']) => name === resource.name && /^(?:boot|default)/.test(levels))
        ? 'true'
        : 'false'
    },
    enable: (work) => updateRunlevel(work, 'add', 'enable'),
    disable: (work) => updateRunlevel(work, 'del', 'disable'),
  },
  ...(init.list && { list: init.list }),
})

/** Adds to or removes from a runlevel. As in Puppet, the error contains no reason: provider/service/gentoo.rb. */
async function updateRunlevel(
  { system, resource, log }: ServiceWork,
  word: 'add' | 'del',
  action: string,
): Promise<void> {
  const { status, output } = await runProviderProgram(system, ['/sbin/rc-update', word, resource.name, 'default'])
  if (status === 0) return
  log('info', output.trim(), 'provider')
  failWithMessage(`Could not ${action} ${resource.name}: `)
}
