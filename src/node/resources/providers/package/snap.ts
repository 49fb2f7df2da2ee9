import { failWithMessage } from '../../issues.ts'
import { type ProviderServices, runProviderProgram } from '../../provider.ts'
import { definePackageProvider, type FoundPackage, type PackageWork } from './package-provider.ts'

/** The package provider for snaps; `ensure` is a channel or one of the usual values. */
export const snap = definePackageProvider('snap', {
  doc: 'Support for `snap`. Any other value of `ensure`, such as `latest/edge`, is the channel.',
  suitable: { commands: ['snap'] },
  features: [
    'versionable',
    'install_options',
    'uninstall_options',
    'holdable',
    'installable',
    'uninstallable',
    'upgradeable',
    'purgeable',
  ],
  list: listSnaps,
  query: async (work) => (await listSnaps(work)).find(({ name }) => name === work.resource.name),
  fits: ({ state }, _, should) => isChannel(String(state.seen?.['channel']), should),
  async install(work, should) {
    const { resource, state, run } = work
    const is = state.seen?.['ensure']
    const isThere = is !== undefined && is !== 'absent' && is !== 'purged'
    const channel = should === 'present' || should === 'latest' ? [] : [`--channel=${should}`]
    const options = resource.get('install_options') ?? []
    await run('snap', isThere ? 'refresh' : 'install', ...channel, ...options, resource.name)
  },
  uninstall: (work) => removeSnap(work, []),
  purge: (work) => removeSnap(work, ['--purge']),
  async latest(work) {
    const { resource, run, state } = work
    const { stdout } = await run('snap', 'info', resource.name)
    const channel = state.seen?.['channel']
    const rows = stdout.split('\n').map((line) => line.trim().split(/\s+/))
    const [, version] = rows.find(([name]) => name === `${String(channel)}:`) ?? []
    return version ?? (state.seen?.['ensure'] as string | undefined)
  },
  set: {
    async mark({ resource, run }, should: string) {
      if (should === 'hold') await run('snap', 'refresh', '--hold', resource.name)
      else await run('snap', 'refresh', '--unhold', resource.name)
    },
  },
})

const risks = ['stable', 'candidate', 'beta', 'edge']

/** The complete channel; by default, the track is `latest` and the risk `stable`. */
function completeChannel(channel: string): string {
  const [first = '', ...others] = channel.split('/')
  if (risks.includes(first)) return `latest/${channel}`
  return others.length === 0 ? `${first}/stable` : channel
}

/** True if `tracked`, whose branch `snap list` abbreviates to an ellipsis, is the channel `should`. */
function isChannel(tracked: string, should: string): boolean {
  const [start = '', end] = completeChannel(tracked).split(/…|\.\.\.?$/)
  return end === undefined ? start === completeChannel(should) : completeChannel(should).startsWith(start)
}

async function removeSnap({ resource, run }: PackageWork, flags: readonly string[]): Promise<void> {
  await run('snap', 'remove', ...flags, ...(resource.get('uninstall_options') ?? []), resource.name)
}

/** Parses the table `Name Version Rev Tracking Publisher Notes`. */
async function listSnaps({ system }: ProviderServices): Promise<readonly FoundPackage[]> {
  const { status, stdout, output } = await runProviderProgram(system, [
    'snap',
    'list',
    '--color=never',
    '--unicode=never',
  ])
  if (status !== 0) failWithMessage(`Could not list snaps with snap: ${output.trim()}`)
  const rows = stdout.split('\n').map((line) => line.trim().split(/\s+/))
  return rows.slice(1).flatMap(([name = '', ensure, , channel, , notes = '']): FoundPackage[] => {
    const mark = notes.split(',').includes('held') ? 'hold' : 'none'
    return name === '' ? [] : [{ name, ensure, channel, mark }]
  })
}
