import { posix as paths } from 'node:path'
import type { FileStat } from '../../../../machine/system/system.ts'
import { type CatalogView, noUserVariables, type ProviderServices } from '../../provider.ts'
import type { FileWork } from './file-state.ts'

/** Parts of an SELinux context that are properties of a file. */
export const contextParts = ['seluser', 'selrole', 'seltype', 'selrange'] as const

/** A part of a context. */
export type ContextPart = (typeof contextParts)[number]

/** A context by parts; a policy without ranges has no `selrange`. */
export type SelinuxContext = Readonly<Record<ContextPart, string | undefined>>

/** File systems that store contexts of files. Puppet: util/selinux.rb */
const labelled = new Set(['ext2', 'ext3', 'ext4', 'gfs', 'gfs2', 'xfs', 'jfs', 'btrfs', 'tmpfs', 'zfs'])

/** Maximum number of paths per program call. */
const mostPaths = 500

/** File types in the notation of `matchpathcon`, by `ensure`. */
const kindsToCome: Readonly<Record<string, string>> = {
  file: 'file',
  present: 'file',
  directory: 'dir',
  link: 'lnk_file',
}

const known = new WeakMap<CatalogView, Promise<SelinuxContexts | undefined>>()

/** The contexts of files on this machine; undefined if SELinux is off. */
export function findContexts(services: ProviderServices): Promise<SelinuxContexts | undefined> {
  const found = known.get(services.catalog) ?? openContexts(services)
  known.set(services.catalog, found)
  return found
}

async function openContexts(services: ProviderServices): Promise<SelinuxContexts | undefined> {
  const { files, commands } = services.system
  const mounts = ((await files.readText('/proc/self/mounts')) ?? '').split('\n').map((row) => row.split(' '))
  // A container sees the host's selinuxfs read-only; libselinux then treats SELinux as off, too.
  const isOn = mounts.some(([, , type, flags]) => type === 'selinuxfs' && flags?.split(',').includes('rw') === true)
  if (!isOn || (await commands.find('chcon')) === undefined) return undefined
  const types = mounts.flatMap(([, place = '', type = '']) =>
    place === '' || type === 'rootfs' ? [] : [[place, type] as const],
  )
  return new SelinuxContexts(services, new Map(types))
}

/**
 * SELinux contexts, read and set with the programs `stat`, `matchpathcon` and `chcon`, as Node.js
 * has no such functions. All files of a catalog are queried in one batch; files changed since then,
 * individually.
 */
export class SelinuxContexts {
  readonly #services: ProviderServices
  readonly #current = new Map<string, { readonly changed: number; readonly context: SelinuxContext | undefined }>()
  readonly #usual = new Map<string, SelinuxContext | undefined>()
  #all: Promise<void> | undefined
  /** File system types by mount point. */
  readonly #mounts: ReadonlyMap<string, string>

  constructor(services: ProviderServices, mounts: ReadonlyMap<string, string>) {
    this.#services = services
    this.#mounts = mounts
  }

  /** True if the path's file system stores contexts. */
  isLabelled(path: string): boolean {
    for (let at = paths.normalize(path); ; at = paths.dirname(at)) {
      const type = this.#mounts.get(at)
      if (type !== undefined) return labelled.has(type)
      if (at === '/') return false
    }
  }

  /** The present context of a file with this status. */
  async current(path: string, stat: FileStat): Promise<SelinuxContext | undefined> {
    this.#all ??= this.#askForAll()
    await this.#all
    const seen = this.#current.get(path)
    if (seen?.changed === Number(stat.changed)) return seen.context
    return (await this.#ask([path])).get(path)
  }

  /** The policy's default context for a path. */
  async usual(path: string, ensure: string | undefined): Promise<SelinuxContext | undefined> {
    this.#all ??= this.#askForAll()
    await this.#all
    if (!this.#usual.has(path)) await this.#askPolicy([path], await this.#findFileKind(path, ensure))
    return this.#usual.get(path)
  }

  /** Sets a part of a context; an error is logged as a warning. */
  async set({ system, resource, logAs }: FileWork, part: ContextPart, value: string): Promise<void> {
    const flag = { seluser: '-u', selrole: '-r', seltype: '-t', selrange: '-l' }[part]
    const path = resource.name
    const before = (await this.#ask([path])).get(path)
    if (!before) {
      const message = "Can't set SELinux context on file unless the file already has some kind of context"
      logAs('Puppet', 'warning', message)
      return
    }
    const { status } = await system.commands.run(['chcon', '-h', flag, value, '--', path], { env: noUserVariables })
    const wanted = contextParts
      .map((name) => (name === part ? value : before[name]))
      .filter((each) => each !== undefined)
    if (status !== 0) logAs('Puppet', 'warning', `Failed to set SELinux context ${wanted.join(':')} on ${path}`)
  }

  /** Queries all files of the catalog before the first is evaluated. */
  async #askForAll(): Promise<void> {
    const { system, catalog } = this.#services
    const byKind = new Map<string | undefined, string[]>()
    const there = new Map<string, FileStat>()
    for (const resource of catalog.ofType('file')) {
      const { name } = resource
      const stat = await system.files.stat(name).catch(() => undefined)
      if (stat) there.set(name, stat)
      const kind = stat ? undefined : kindsToCome[String(resource.value('ensure'))]
      byKind.set(kind, [...(byKind.get(kind) ?? []), name])
    }
    const contexts = await this.#ask([...there.keys()])
    for (const [path, { changed }] of there)
      this.#current.set(path, { changed: Number(changed), context: contexts.get(path) })
    for (const [kind, names] of byKind) await this.#askPolicy(names, kind)
  }

  async #findFileKind(path: string, ensure: string | undefined): Promise<string | undefined> {
    const stat = await this.#services.system.files.stat(path).catch(() => undefined)
    return stat ? undefined : kindsToCome[String(ensure)]
  }

  /** The present contexts of files. */
  async #ask(all: readonly string[]): Promise<ReadonlyMap<string, SelinuxContext | undefined>> {
    const found = new Map<string, SelinuxContext | undefined>()
    for (const some of splitBatches(all)) {
      const printed = await this.#printed(['stat', '-c', '%C %n', '--', ...some])
      for (const row of printed) {
        const space = row.indexOf(' ')
        if (space !== -1) found.set(row.slice(space + 1), parseContext(row.slice(0, space)))
      }
    }
    return found
  }

  async #askPolicy(all: readonly string[], kind: string | undefined): Promise<void> {
    for (const some of splitBatches(all)) {
      for (const path of some) this.#usual.set(path, undefined)
      const printed = await this.#printed(['matchpathcon', ...(kind === undefined ? [] : ['-m', kind]), ...some])
      for (const row of printed) {
        const tab = row.lastIndexOf('\t')
        if (tab !== -1) this.#usual.set(row.slice(0, tab), parseContext(row.slice(tab + 1)))
      }
    }
  }

  async #printed(command: readonly string[]): Promise<readonly string[]> {
    const { commands } = this.#services.system
    // Without the policy's tool, there are no default contexts.
    if ((await commands.find(command[0] ?? '')) === undefined) return []
    const { stdout } = await commands.run(command, { env: { ...noUserVariables, LC_ALL: 'C', LANG: 'C' } })
    return stdout.split('\n')
  }
}

/** Splits the paths into batches. Paths with a line break are excluded, since programs print one path per line. */
function splitBatches(all: readonly string[]): readonly (readonly string[])[] {
  const sayable = all.filter((path) => !path.includes('\n'))
  return Array.from({ length: Math.ceil(sayable.length / mostPaths) }, (_, index) =>
    sayable.slice(index * mostPaths, (index + 1) * mostPaths),
  )
}

function parseContext(text: string): SelinuxContext | undefined {
  const [, seluser, selrole, seltype, selrange] = /^([^\s:]+):([^\s:]+):([^\s:]+)(?::([\w\s:,.-]+))?$/.exec(text) ?? []
  return seluser === undefined ? undefined : { seluser, selrole, seltype, selrange }
}
