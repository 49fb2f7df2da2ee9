import { memberOf } from '../../../../base/json/exact-json.ts'
import { display } from '../../display.ts'
import { defineProvider, type Services, type Work } from '../../provider.ts'
import { propertiesOf, type TypeDefinition } from '../../type.ts'
import { yumrepo } from '../../types/yumrepo.ts'
import { RepoFiles, type RepoSection } from './repo-files.ts'

interface RepoState {
  readonly files: RepoFiles
  section: RepoSection | undefined
}

type RepoAttributes = (typeof yumrepo)['attributes']
type RepoWork = Work<RepoAttributes, RepoState>

const properties = propertiesOf(yumrepo as TypeDefinition).filter((name) => name !== 'ensure')

/** Returns the INI key of a property. The property `descr` is the key `name`; the resource name is the section. */
const keyOf = (property: string) => (property === 'descr' ? 'name' : property)

/** Repositories in yum's configuration files. */
export const inifile = defineProvider<RepoAttributes, RepoState>(yumrepo, 'inifile', {
  doc: 'Manage yum repo configurations by parsing yum INI configuration files: `/etc/yum.conf`, and `*.repo` in the folders that its `reposdir` names, or in `/etc/yum.repos.d` and `/etc/yum/repos.d`.',
  async prefetch(services) {
    const files = await opened(services)
    return ({ name }) => ({ files, section: files.sections().find((section) => section.name === name) })
  },
  async read({ resource, state: { files, section } }) {
    if (!section || section.isGone) return { ensure: 'absent' }
    const target = targetOf(resource)
    if (target !== undefined && section.file !== files.pathOf(resource.name, target)) return { ensure: 'absent' }
    const entries = properties.map((name) => [name, section.get(keyOf(name)) ?? 'absent'])
    return { ensure: 'present', ...Object.fromEntries(entries) }
  },
  async create(work) {
    const { resource, state } = work
    const path = state.files.pathOf(resource.name, targetOf(resource))
    await state.files.load(path)
    state.section = state.files.place(resource.name, path)
    for (const name of resource.properties()) if (name !== 'ensure') set(work, name, resource.value(name))
  },
  async remove({ state }) {
    if (state.section) state.section.isGone = true
  },
  show: { proxy: (work, value) => display(proxyOf(work, value)) },
  inSync: { proxy: (work, is, [should]) => is === proxyOf(work, should) },
  set: Object.fromEntries(
    properties.map((name) => [name, async (work: RepoWork, should: never) => set(work, name, should)]),
  ),
  flush: ({ state, log }) => state.files.store((message) => log('info', message, 'provider')),
  async list(services) {
    const files = await opened(services)
    return files.sections().map((section) => {
      const found = properties.map((name) => [name, section.get(keyOf(name))])
      return { name: section.name, ensure: 'present', ...Object.fromEntries(found) }
    })
  },
})

async function opened({ system }: Services): Promise<RepoFiles> {
  const files = new RepoFiles(system.files)
  await files.read()
  return files
}

function targetOf(resource: RepoWork['resource']): string | undefined {
  const target = resource.get('target')
  return target === 'absent' ? undefined : target
}

function set(work: RepoWork, name: string, should: unknown): void {
  const { state, resource } = work
  const value = name === 'proxy' ? proxyOf(work, should) : should
  // A section in yum.conf itself is moved to a separate file when it changes.
  if (state.section)
    state.section = state.files.place(resource.name, state.files.pathOf(resource.name, state.section.file))
  state.section?.set(keyOf(name), value === 'absent' ? undefined : String(value))
}

/** The value for `proxy => absent`: newer systems use an empty value for no proxy. */
function proxyOf({ facts }: RepoWork, should: unknown): unknown {
  const distro = memberOf(facts['os'], 'distro')
  const major = Number(memberOf(memberOf(distro, 'release'), 'major') ?? 0)
  return should === '_none_' && major >= 8 ? '' : should
}
