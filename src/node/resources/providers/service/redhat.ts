import { memberOf } from '../../../../base/json/exact-json.ts'
import { runProgram, type Services } from '../../provider.ts'
import { orCannot } from '../or-cannot.ts'
import { initScripts, listedStatus } from './init.ts'
import { serviceProvider } from './plain-service.ts'
import { type CommandFor, isUnknown } from './service-commands.ts'

const viaService: CommandFor = (work, action) =>
  isUnknown(work, action) ? undefined : ['service', work.resource.name, action]

/** Init scripts on Red Hat and SUSE, enabled with chkconfig. */
export const redhat = serviceProvider('redhat', {
  doc: "Red Hat's (and probably many others') form of `init`-style service management. Uses `chkconfig` for service enabling and disabling.",
  suitable: { commands: ['chkconfig', 'service'] },
  defaultFor: [{ 'os.family': ['RedHat'] }, { 'os.family': ['Suse'], 'os.release.major': ['10', '11'] }],
  command: viaService,
  boot: {
    isEnabled: (work) => isEnabled(work, work.resource.name),
    enable: (work) =>
      orCannot(`enable ${work.resource.name}`, async () => {
        await work.run('chkconfig', '--add', work.resource.name)
        await work.run('chkconfig', work.resource.name, 'on')
      }),
    disable: (work) =>
      orCannot(`disable ${work.resource.name}`, () =>
        work.run('chkconfig', '--level', '0123456', work.resource.name, 'off'),
      ),
  },
  async list(services) {
    const found: { name: string; ensure: string; enable: string }[] = []
    for (const name of await initScripts(services)) {
      const ensure = await listedStatus(services, ['service', name, 'status'])
      found.push({ name, ensure, enable: await isEnabled(services, name) })
    }
    return found
  },
})

/** True if the service starts at boot. On SUSE, chkconfig succeeds for disabled services, too. */
async function isEnabled({ system, facts }: Services, name: string): Promise<'true' | 'false'> {
  const { status, output } = await runProgram(system, ['chkconfig', name])
  if (status !== 0) return 'false'
  if (memberOf(facts['os'], 'family') !== 'Suse') return 'true'
  const isOn = output.split('\n').some((line) => {
    const [first, state] = line.split(/\s+/)
    return first === name && (state === 'on' || state === 'B')
  })
  return isOn ? 'true' : 'false'
}
