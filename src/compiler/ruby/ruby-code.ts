import type { Value } from '../../language/values/value.ts'
import type { RubyShare } from '../../ruby/ruby-share.ts'
import { RubySession, type Surroundings } from '../../ruby/session.ts'
import type { Compilation } from '../catalog/compilation.ts'
import { defaultsFor } from '../catalog/resource-defaults.ts'
import { type ModuleFiles, shownPath } from '../code/module-files.ts'
import { nativeTypes } from '../code/native-types.ts'
import { rubyDigest } from './ruby-digest.ts'
import { type RubyHome, rubyHome } from './ruby-machines.ts'
import { rubyCodeTest, seenByRuby } from './seen-by-ruby.ts'

/** The Ruby of the environment's modules, for one catalog. Costs nothing until it is used. */
export function rubySession(compilation: Compilation, files: ModuleFiles, share: RubyShare): RubySession {
  const { request, host, top, readOutside: read } = compilation
  const { environment } = request
  // Recorded answers say themselves what there is.
  const folders = request.inputs ? ['/'] : (request.externalFolders ?? [])
  let home: RubyHome | undefined
  const machine = () => {
    if (!home || home.machine.isDead || home.environment !== environment)
      home = rubyHome({ share, environment, files, folders }, home === undefined)
    home.outside.read = read
    return home.machine
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
    legacyFunction: (name) => compilation.types.legacyRubyFunction(name),
    typeFile: (name) => compilation.types.rubyTypeFile(name),
    hasProviders: (type) => compilation.types.hasProviders(type),
    builtinType: (name) => nativeTypes.get(name),
    catalogContents() {
      const { classes, tags, table } = compilation
      return { classes, tags: [...tags], resources: table.resources.map(({ reference }) => reference) }
    },
    resourceDefaults: (scope, type) =>
      Array.from(defaultsFor(compilation, type.toLowerCase(), scope), ([name, { value }]): [string, Value] => [
        name,
        value,
      ]),
    resourceParameters(type, title) {
      const found = compilation.table.find(type, title)
      return found && Array.from(found.parameters, ([name, { value }]): [string, Value] => [name, value])
    },
    ...seenByRuby(environment, { folders, read }),
    isRubyCode: rubyCodeTest(environment, () => surroundings.loadPath),
    saw: (sight, isKept) => home?.sights.add(sight, isKept, home.seen),
    replaceValue(old, value) {
      for (const resource of compilation.table.resources)
        for (const [name, parameter] of resource.parameters) if (parameter.value === old) resource.replace(name, value)
    },
  }
  const { watch, checkCallsEvery } = share
  return new RubySession(machine, host, top, surroundings, { watch, timeLimit: request.rubyTimeout, checkCallsEvery })
}
