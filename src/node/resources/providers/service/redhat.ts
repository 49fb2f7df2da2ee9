import { getMember } from '../../../../base/json/exact-json.ts'
import { type ProviderServices, runProviderProgram } from '../../provider.ts'
import { withFailureMessage } from '../failure-message.ts'
import { listInitScripts, queryListedStatus } from './init.ts'
import { type CommandFor, isUnsupportedAction } from './service-commands.ts'
import { defineServiceProvider } from './service-provider.ts'

const getRedhatCommand: CommandFor = (work, action) =>
  isUnsupportedAction(work, action) ? undefined : ['service', work.resource.name, action]

/** The service provider for init scripts on Red Hat and SUSE, which are enabled with chkconfig. */
export const redhat = defineServiceProvider('redhat', {
  doc: "Red Hat's (and probably many others') form of `init`-style service management. Uses `chkconfig` for service enabling and disabling.",
  suitable: { commands: ['chkconfig', 'service'] },
  defaultFor: [{ 'os.family': ['RedHat'] }, { 'os.family': ['Suse'], 'os.release.major': ['10', '11'] }],
  command: getRedhatCommand,
  boot: {
    isEnabled: (work) => isEnabled(work, work.resource.name),
    enable: (work) =>
      withFailureMessage(`enable ${work.resource.name}`, async () => {
        await work.run('chkconfig', '--add', work.resource.name)
        await work.run('chkconfig', work.resource.name, 'on')
      }),
    disable: (work) =>
      withFailureMessage(`disable ${work.resource.name}`, () =>
        work.run('chkconfig', '--level', '0123456', work.resource.name, 'off'),
      ),
  },
  async list(services) {
    const found: { name: string; ensure: string; enable: string }[] = []
    for (const name of await listInitScripts(services)) {
      const ensure = await queryListedStatus(services, ['service', name, 'status'])
      found.push({ name, ensure, enable: await isEnabled(services, name) })
    }
    return found
  },
})

/** True if the service starts at boot. On SUSE, chkconfig succeeds for disabled services, too. */
async function isEnabled({ system, facts }: ProviderServices, name: string): Promise<'true' | 'false'> {
  const { status, output } = await runProviderProgram(system, ['chkconfig', name])
  if (status !== 0) return 'false'
  if (getMember(facts['os'], 'family') !== 'Suse') return 'true'
  const isOn = output.split('\n').some((line) => {
    const [first, state] = line.split(/\s+/)
    return first === name && (state === 'on' || state === 'B')
  })
  return isOn ? 'true' : 'false'
}
