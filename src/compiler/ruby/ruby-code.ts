import type { Value } from '../../language/values/value.ts'
import { type RubyGuards, RubySession } from '../../ruby/session/session.ts'
import type { Surroundings } from '../../ruby/session/surroundings.ts'
import type { RubyShare } from '../../ruby/worker-share.ts'
import type { Compilation } from '../catalog/compilation.ts'
import { getResourceDefaults } from '../catalog/resource-defaults.ts'
import type { ModuleFiles } from '../code/module-files.ts'
import { nativeTypes } from '../code/native-types.ts'
import { measurePhase } from '../profile/measure-phase.ts'
import { listLoadPath } from './load-path.ts'
import { computeRubyDigest } from './ruby-digest.ts'
import { type EnvironmentMachine, getEnvironmentMachine } from './ruby-machines.ts'
import { createRubyCodeClassifier, createRubyView, type RubyView } from './ruby-view.ts'
import { recordRubyInput, recordRubyInputs, watchRubyView } from './watched-ruby-inputs.ts'

/** Creates the Ruby session of one catalog; Ruby starts on first use. */
export function createRubySession(compilation: Compilation, files: ModuleFiles, share: RubyShare): RubySession {
  const { request, host, top, reads, readOutside: read } = compilation
  const { environment } = request
  // With recorded results, the results determine which files exist.
  const folders = request.inputs ? ['/'] : (request.externalFolders ?? [])
  let home: EnvironmentMachine | undefined
  const plain = createRubyView(environment, { folders, read })
  const seen = reads ? watchRubyView(plain, reads) : plain
  // While compiling this catalog, Ruby may use values that it cached for earlier catalogs.
  reads?.atEnd(() => {
    if (home) recordRubyInputs(home.sights, reads, surroundings)
  })
  const getMachine = () => {
    reads?.note('ruby')
    if (!home || home.machine.isDead || home.environment !== environment) {
      const isFirst = home === undefined
      home = measurePhase(host, 'start Ruby', () =>
        getEnvironmentMachine({ share, environment, files, folders, scratchFolder: request.scratchFolder }, isFirst),
      )
    }
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
      reads?.note('modules')
      return files.names()
    },
    get rubyDigest() {
      reads?.note('ruby')
      return computeRubyDigest(environment, files)
    },
    get loadPath() {
      reads?.note('load-path')
      return listLoadPath(files)
    },
    ...createCatalogSurroundings(compilation),
    pathAnswer: (path) => seen.pathAnswer(path),
    folderAnswer: (path) => seen.folderAnswer(path),
    get time() {
      return seen.time
    },
    codeAt: createRubyCodeClassifier(environment, () => surroundings.loadPath),
    saw(sight, isKept) {
      home?.sights.add(sight, isKept, home.seen)
      if (reads) recordRubyInput(sight, reads, surroundings)
    },
  }
  return new RubySession(getMachine, host, top, surroundings, {
    watch: share.watch,
    timeLimit: request.rubyTimeout,
    checkCallsEvery: share.checkCallsEvery,
    observeCall: createCallObserver(compilation),
  })
}

function createCallObserver({ request: { profile }, rubyCalls }: Compilation): RubyGuards['observeCall'] {
  return (call) => {
    rubyCalls.count(call)
    profile?.rubyCalls.push(call)
  }
}

/** Returns Ruby's access to the catalog in progress, and to the types and functions in the code. */
function createCatalogSurroundings(
  compilation: Compilation,
): Omit<
  Surroundings,
  keyof RubyView | 'environment' | 'debug' | 'modulepath' | 'moduleNames' | 'loadPath' | 'rubyDigest' | 'codeAt' | 'saw'
> {
  return {
    legacyFunction: (name) => compilation.types.legacyRubyFunction(name),
    typeFile: (name) => compilation.types.rubyTypeFile(name),
    hasProviders: (type) => compilation.types.hasProviders(type),
    builtinType: (name) => nativeTypes.get(name),
    catalogContents() {
      const { classes, tags, table } = compilation
      return { classes, tags: [...tags], resources: table.resources.map(({ reference }) => reference) }
    },
    resourceDefaults: (scope, type) =>
      Array.from(getResourceDefaults(compilation, type.toLowerCase(), scope), ([name, { value }]): [string, Value] => [
        name,
        value,
      ]),
    resourceParameters(type, title) {
      const found = compilation.table.find(type, title)
      return found && Array.from(found.parameters, ([name, { value }]): [string, Value] => [name, value])
    },
    replaceValue(old, value) {
      for (const resource of compilation.table.resources)
        for (const [name, parameter] of resource.parameters) if (parameter.value === old) resource.replace(name, value)
    },
  }
}
