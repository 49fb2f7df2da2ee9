import type { System } from '../../../../machine/system/system.ts'
import { failWithMessage } from '../../issues.ts'
import { runProviderProgram } from '../../provider.ts'
import {
  createRecord,
  defineRecordProvider,
  flushRecord,
  type RecordWork,
  removeRecord,
  touchTargets,
} from '../../records/record-provider.ts'
import { mount } from '../../types/mount.ts'
import { fstab } from './fstab.ts'

type MountWork = RecordWork<(typeof mount)['attributes']>

/**
 * States of a mount. `unmounted` has an entry in fstab but is not mounted; a `ghost` is mounted
 * without an entry.
 */
type State = 'absent' | 'ghost' | 'mounted' | 'unmounted'

const entries = defineRecordProvider(mount, 'parsed', {
  doc: 'Manages entries of `/etc/fstab` and mounts them with `mount` and `umount`.',
  suitable: { commands: ['mount', 'umount'] },
  features: ['refreshable'],
  format: fstab,
  inSync: {
    ensure: (_, is, [should]) => is === should || (should === 'defined' && (is === 'mounted' || is === 'unmounted')),
  },
  changeText: {
    ensure({ resource }, is) {
      const should = resource.get('ensure')
      if (is === 'absent') return `defined 'ensure' as '${should}'`
      return should === 'absent' ? `undefined 'ensure' from '${is}'` : `ensure changed '${is}' to '${should}'`
    },
  },
  eventNames: {
    ensure: (should) => (should === 'absent' ? 'mount_deleted' : should === 'mounted' ? 'mount_mounted' : undefined),
  },
  set: {
    ensure: (work, should: 'defined' | 'unmounted' | 'absent' | 'mounted', is) => setState[should](work, is as State),
  },
  async flush(work) {
    const { values } = work.state.record
    const mustMount = values['mustMount'] === true
    delete values['mustMount']
    await flushRecord(work)
    if (mustMount) await mountFileSystem(work)
  },
  async refresh(work) {
    const { resource, log } = work
    if (resource.get('fstype') === 'swap' || !isMounted(work)) return
    log('info', 'Remounting')
    if (resource.get('remounts') === 'true') return runResolvedProgram(work, 'mount', '-o', 'remount', resource.name)
    await unmountFileSystem(work)
    await mountFileSystem(work)
  },
})

/** The provider of `mount`, which manages entries of /etc/fstab and mounts. */
export const mountParsed = {
  ...entries,
  async prefetch(...[services, resources, log]: Parameters<NonNullable<typeof entries.prefetch>>) {
    const begin = await entries.prefetch!(services, resources, log)
    const mounted = await listMountPoints(services.system)
    return (resource: MountWork['resource']) => {
      const state = begin(resource)
      const { values } = state.record
      if (mounted.has(resource.name)) {
        const isGhost = values['ensure'] === 'absent'
        values['ensure'] = isGhost ? 'ghost' : 'mounted'
        if (isGhost && !resource.has('target')) values['target'] = mount.attributes.target.default
      }
      return state
    }
  },
  async list(services: Parameters<NonNullable<typeof entries.list>>[0]) {
    const mounted = await listMountPoints(services.system)
    const inTable = (await entries.list!(services)).map((each) =>
      mounted.delete(each.name) ? { ...each, ensure: 'mounted' } : each,
    )
    const target = mount.attributes.target.default
    return [...inTable, ...[...mounted].map((name) => ({ name, ensure: 'ghost', target }))]
  },
} satisfies typeof entries

const setState = {
  defined: (work: MountWork) => createRecord(work),
  async unmounted(work: MountWork, is: State) {
    if (is === 'mounted') {
      await unmountFileSystem(work)
      return updateEntry(work)
    }
    if (is !== 'ghost' && is !== 'absent') failWithMessage(`Unexpected change from ${is} to unmounted`)
    await createRecord(work)
    if (is === 'absent') return
    await flushRecord(work)
    await unmountFileSystem(work)
  },
  async absent(work: MountWork, is: State) {
    if (isMounted(work)) await unmountFileSystem(work)
    if (is !== 'ghost') await removeRecord(work)
  },
  async mounted(work: MountWork, is: State) {
    const wasMounted = isMounted(work)
    if (is === 'absent' || is === 'ghost') await createRecord(work)
    await updateEntry(work)
    if (!wasMounted) work.state.record.values['mustMount'] = true
  },
}

function isMounted({ state }: MountWork): boolean {
  return ['mounted', 'ghost'].includes(String(state.record.values['ensure']))
}

/** Writes a changed fstab entry at once, because `mount` reads it. */
async function updateEntry(work: MountWork): Promise<void> {
  const { resource, state } = work
  const { values } = state.record
  const wrong = [...fstab.fields, 'target'].filter(
    (each) => each !== 'name' && resource.has(each) && String(values[each]) !== String(resource.value(each)),
  )
  if (wrong.length === 0) return
  touchTargets(work)
  for (const each of wrong) values[each] = resource.value(each)
  touchTargets(work)
  await flushRecord(work)
}

async function mountFileSystem(work: MountWork): Promise<void> {
  await runResolvedProgram(work, 'mount', work.resource.name)
  changeState(work, { absent: 'ghost', unmounted: 'mounted' })
}

async function unmountFileSystem(work: MountWork): Promise<void> {
  await runResolvedProgram(work, 'umount', work.resource.name)
  changeState(work, { mounted: 'unmounted', ghost: 'absent' })
}

function changeState({ state: { record } }: MountWork, next: Readonly<Record<string, State>>): void {
  record.values['ensure'] = next[String(record.values['ensure'])] ?? record.values['ensure']
}

/** Runs a program by its full path, so that messages contain the path. */
async function runResolvedProgram(
  { system, run }: MountWork,
  program: string,
  ...words: readonly string[]
): Promise<void> {
  await run((await system.commands.find(program)) ?? program, ...words)
}

/** The mount points in use. */
async function listMountPoints(system: System): Promise<Set<string>> {
  const { stdout } = await runProviderProgram(system, ['mount'])
  const found = new Set<string>()
  for (const line of stdout.split('\n').filter(Boolean)) {
    const start = line.indexOf(' on ')
    const end = line.lastIndexOf(' type ')
    if (start < 0 || end < start) failWithMessage(`Could not understand line ${line} from mount output`)
    found.add(line.slice(start + ' on '.length, end))
  }
  return found
}
