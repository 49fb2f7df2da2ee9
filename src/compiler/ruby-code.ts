import { LRUCache } from 'lru-cache'
import type { CodeTree } from '../environments/code-tree.ts'
import type { CompileEnvironment } from '../environments/compile-environment.ts'
import type { Host } from '../language/host.ts'
import type { Value } from '../language/values/value.ts'
import { RubyMachine } from '../ruby/machine.ts'
import type { RubyShare } from '../ruby/ruby-share.ts'
import { RubySession, type Surroundings } from '../ruby/session.ts'
import type { GuestFiles } from '../ruby/wasi/guest-files.ts'
import type { HostParts } from './compiler-host.ts'
import { shownPath } from './module-files.ts'
import { nativeTypes } from './native-types.ts'
import { defaultsFor } from './resource-defaults.ts'
import { rubyDigest } from './ruby-digest.ts'

/** A machine that holds more than this, in bytes, is not used for another catalog. */
const enough = 320 * 1024 * 1024

/** A machine for each environment's code as it is; shared by all that this thread compiles, with no other code. */
const machines = new LRUCache<string, RubyMachine>({ max: 4 })

/** The Ruby of the environment's modules, for one catalog. Costs nothing until it is used. */
export function rubySession({ request, files, types, top, compilation, share }: HostParts, host: Host): RubySession {
  const { environment } = request
  let began = false
  const machine = () => {
    const found = machineFor(share, environment, !began)
    began = true
    return found
  }
  const surroundings: Surroundings = {
    environment: environment.name,
    debug: request.debug === true,
    get modulepath() {
      return environment.modulepath.map(({ tree, path }) => (path === '' ? tree.root : `${tree.root}/${path}`))
    },
    get moduleNames() {
      return files.names()
    },
    get rubyDigest() {
      return rubyDigest(environment, files)
    },
    get loadPath() {
      return files.names().flatMap((name) => {
        const place = files.module(name)!
        const path = `${place.path}/lib`
        return place.tree.entry(path)?.kind === 'directory' ? [shownPath({ tree: place.tree, path })] : []
      })
    },
    legacyFunction: (name) => types.legacyRubyFunction(name),
    typeFile: (name) => types.rubyTypeFile(name),
    hasProviders: (type) => types.hasProviders(type),
    builtinType: (name) => nativeTypes.get(name),
    catalogContents() {
      const { classes, tags, table } = compilation()
      return { classes, tags: [...tags], resources: table.resources.map(({ reference }) => reference) }
    },
    resourceDefaults: (scope, type) =>
      Array.from(defaultsFor(compilation(), type.toLowerCase(), scope), ([name, { value }]): [string, Value] => [
        name,
        value,
      ]),
    resourceParameters(type, title) {
      const found = compilation().table.find(type, title)
      return found && Array.from(found.parameters, ([name, { value }]): [string, Value] => [name, value])
    },
    replaceValue(old, value) {
      for (const resource of compilation().table.resources)
        for (const [name, parameter] of resource.parameters)
          if (parameter.value === old) resource.parameters.set(name, { ...parameter, value })
    },
  }
  return new RubySession(machine, host, top, surroundings, { watch: share.watch, timeLimit: request.rubyTimeout })
}

/** Names an environment's code as it is. */
export function codeKey({ name, tree, modulepath }: CompileEnvironment): string {
  return [name, tree.id, ...modulepath.map((directory) => directory.tree.id)].join('\0')
}

function machineFor(share: RubyShare, environment: CompileEnvironment, first: boolean): RubyMachine {
  const key = codeKey(environment)
  const known = machines.get(key)
  if (known && !known.isDead && !(first && known.memorySize > enough)) return known
  const machine = new RubyMachine(share.image(), mountsOf(environment), environment.tree.time)
  machines.set(key, machine)
  return machine
}

/** Each tree where it seems to be, and nothing else. */
function mountsOf({ tree, modulepath }: CompileEnvironment): Record<string, GuestFiles> {
  const trees = [tree, ...modulepath.map((directory) => directory.tree)]
  return Object.fromEntries(trees.map((each) => [each.root.slice(1), guestFiles(each)]))
}

function guestFiles(tree: CodeTree): GuestFiles {
  return {
    entry(path) {
      const entry = tree.entry(path)
      if (!entry) return undefined
      return { kind: entry.kind, size: entry.kind === 'file' ? (tree.read(path)?.length ?? 0) : 0 }
    },
    read: (path) => tree.read(path),
    list: (path) => tree.list(path),
  }
}
