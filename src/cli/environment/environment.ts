import type { OpenedEnvironment } from '../../code/environments/environment-opener.ts'
import { getModuleMetadata, listModules } from '../../code/environments/modules.ts'
import { type CliCommand, defineCommand } from '../command/command.ts'
import { renderAs } from '../command/options.ts'
import { listEnvironmentSources, loadCodeSettings, openCode, repoOption } from '../input/code-source.ts'

/** The command `plumb environment`. */
export const environmentCommand: CliCommand = {
  name: 'environment',
  summary: 'List the environments of the repository or the environmentpath.',
  commands: [
    defineCommand({
      name: 'list',
      summary: 'List environments with their commits or directories.',
      options: [repoOption, renderAs],
      async run({ options, settings, io }) {
        const sources = await listEnvironmentSources(loadCodeSettings({ options, settings }))
        if (options.renderAs === 'json') io.out(`${JSON.stringify(sources, undefined, 2)}\n`)
        else for (const { name, ref, commit } of sources) io.out(`${[name, commit ?? ref].join('  ')}\n`)
        return 0
      },
    }),
    defineCommand({
      name: 'show',
      summary: 'Print the paths of the manifests and modules of an environment.',
      usage: '<name>',
      options: [repoOption, renderAs],
      async run({ args: [name = ''], options, settings, io }) {
        const given = { options, settings: { ...settings, environment: name }, io }
        const shown = describeEnvironment(await openCode(given, loadCodeSettings(given)))
        if (options.renderAs === 'json') io.out(`${JSON.stringify(shown, undefined, 2)}\n`)
        else {
          for (const key of ['name', 'code_id', 'root', 'manifest', 'version'] as const)
            if (shown[key] !== null) io.out(`${key} = ${shown[key]}\n`)
          io.out(`modulepath = ${shown.modulepath.join(':')}\n`)
          for (const module of shown.modules) io.out(`  ${module.name} ${module.version ?? ''}`.trimEnd().concat('\n'))
        }
        return 0
      },
    }),
  ],
}

function describeEnvironment({ environment: code, warnings }: OpenedEnvironment) {
  const { name, tree, manifest, modulepath, version } = code
  const toAbsolutePath = (root: string, path: string) => (path === '' ? root : `${root}/${path}`)
  return {
    name,
    code_id: tree.codeId ?? null,
    root: tree.root,
    manifest: manifest && 'path' in manifest ? toAbsolutePath(tree.root, manifest.path) : null,
    version,
    modulepath: modulepath.map((each) => toAbsolutePath(each.tree.root, each.path)),
    modules: listModules(code).map((module) => ({
      name: module.name,
      version: getModuleMetadata(module)?.version ?? null,
      path: toAbsolutePath(module.directory.tree.root, module.directory.path),
    })),
    warnings,
  }
}
