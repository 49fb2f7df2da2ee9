import { metadataOf, modulesOf } from '../../code/environments/modules.ts'
import type { OpenedEnvironment } from '../../code/environments/open-environment.ts'
import { type Command, defineCommand } from '../command/command.ts'
import { renderAs } from '../command/options.ts'
import { codeSettings, openCode, repoOption, sourcesOf } from '../input/code-source.ts'

/** `plumb environment` */
export const environment: Command = {
  name: 'environment',
  summary: 'List the environments of the repository or the environmentpath.',
  commands: [
    defineCommand({
      name: 'list',
      summary: 'List environments with their commits or directories.',
      options: [repoOption, renderAs],
      async run({ options, settings, io }) {
        const sources = await sourcesOf(codeSettings({ options, settings }))
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
        const shown = describe(await openCode(given, codeSettings(given)))
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

function describe({ environment: code, warnings }: OpenedEnvironment) {
  const { name, tree, manifest, modulepath, version } = code
  const absolute = (root: string, path: string) => (path === '' ? root : `${root}/${path}`)
  return {
    name,
    code_id: tree.codeId ?? null,
    root: tree.root,
    manifest: manifest && 'path' in manifest ? absolute(tree.root, manifest.path) : null,
    version,
    modulepath: modulepath.map((each) => absolute(each.tree.root, each.path)),
    modules: modulesOf(code).map((module) => ({
      name: module.name,
      version: metadataOf(module)?.version ?? null,
      path: absolute(module.directory.tree.root, module.directory.path),
    })),
    warnings,
  }
}
