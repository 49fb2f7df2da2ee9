import { getMember } from '../../../../base/json/exact-json.ts'
import { defineProvider, type ProviderServices, type ProviderWork } from '../../provider.ts'
import { listProperties, type NativeTypeDefinition } from '../../type.ts'
import { yumrepo } from '../../types/yumrepo.ts'
import { formatLogValue } from '../../value-format.ts'
import { RepoFiles, type RepoSection } from './repo-files.ts'

interface RepoState {
  readonly files: RepoFiles
  section: RepoSection | undefined
}

type RepoAttributes = (typeof yumrepo)['attributes']
type RepoWork = ProviderWork<RepoAttributes, RepoState>

const properties = listProperties(yumrepo as NativeTypeDefinition).filter((name) => name !== 'ensure')

/** Returns the INI key of a property. The property `descr` is the key `name`; the resource name is the section. */
const toIniKey = (property: string) => (property === 'descr' ? 'name' : property)

/** The provider of `yumrepo`, which manages repositories in yum's configuration files. */
export const inifile = defineProvider<RepoAttributes, RepoState>(yumrepo, 'inifile', {
  doc: 'Manage yum repo configurations by parsing yum INI configuration files: `/etc/yum.conf`, and `*.repo` in the folders that its `reposdir` names, or in `/etc/yum.repos.d` and `/etc/yum/repos.d`.',
  async prefetch(services) {
    const files = await openRepoFiles(services)
    return ({ name }) => ({ files, section: files.sections().find((section) => section.name === name) })
  },
  async read({ resource, state: { files, section } }) {
    if (!section || section.isGone) return { ensure: 'absent' }
    const target = getTarget(resource)
    if (target !== undefined && section.file !== files.selectPath(resource.name, target)) return { ensure: 'absent' }
    const entries = properties.map((name) => [name, section.get(toIniKey(name)) ?? 'absent'])
    return { ensure: 'present', ...Object.fromEntries(entries) }
  },
  async create(work) {
    const { resource, state } = work
    const path = state.files.selectPath(resource.name, getTarget(resource))
    await state.files.load(path)
    state.section = state.files.place(resource.name, path)
    for (const name of resource.properties()) if (name !== 'ensure') setRepoProperty(work, name, resource.value(name))
  },
  async remove({ state }) {
    if (state.section) state.section.isGone = true
  },
  show: { proxy: (work, value) => formatLogValue(getAbsentProxy(work, value)) },
  inSync: { proxy: (work, is, [should]) => is === getAbsentProxy(work, should) },
  set: Object.fromEntries(
    properties.map((name) => [name, async (work: RepoWork, should: never) => setRepoProperty(work, name, should)]),
  ),
  flush: ({ state, log }) => state.files.store((message) => log('info', message, 'provider')),
  async list(services) {
    const files = await openRepoFiles(services)
    return files.sections().map((section) => {
      const found = properties.map((name) => [name, section.get(toIniKey(name))])
      return { name: section.name, ensure: 'present', ...Object.fromEntries(found) }
    })
  },
})

async function openRepoFiles({ system }: ProviderServices): Promise<RepoFiles> {
  const files = new RepoFiles(system.files)
  await files.read()
  return files
}

function getTarget(resource: RepoWork['resource']): string | undefined {
  const target = resource.get('target')
  return target === 'absent' ? undefined : target
}

function setRepoProperty(work: RepoWork, name: string, should: unknown): void {
  const { state, resource } = work
  const value = name === 'proxy' ? getAbsentProxy(work, should) : should
  // A section in yum.conf itself is moved to a separate file when it changes.
  if (state.section)
    state.section = state.files.place(resource.name, state.files.selectPath(resource.name, state.section.file))
  state.section?.set(toIniKey(name), value === 'absent' ? undefined : String(value))
}

/** The value for `proxy => absent`: newer systems use an empty value for no proxy. */
function getAbsentProxy({ facts }: RepoWork, should: unknown): unknown {
  const distro = getMember(facts['os'], 'distro')
  const major = Number(getMember(getMember(distro, 'release'), 'major') ?? 0)
  return should === '_none_' && major >= 8 ? '' : should
}
