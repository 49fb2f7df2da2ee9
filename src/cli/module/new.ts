import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { throwIssue } from '../../base/issue.ts'
import { toPrintable } from '../../base/text/printable.ts'
import { getModuleFolderName } from '../../deploy/module-tool/dependency-resolution.ts'
import { isModuleSlug } from '../../deploy/module-tool/forge-modules.ts'
import { moduleToolIssues as issues } from '../../deploy/module-tool/issues.ts'
import { defineCommand } from '../command/command.ts'
import { renderAs } from '../command/options.ts'
import { createSkeleton } from './skeleton.ts'

/** The command `plumb module new`. */
export const newCommand = defineCommand({
  name: 'new',
  summary: 'Create a module with a class, data and a test.',
  description: `Creates the directory NAME with metadata.json, manifests/init.pp and its test, hiera.yaml and data/common.yaml,
.fixtures.yml, README.md and CHANGELOG.md. Nothing is asked; edit the files.

  plumb module new acme-web
  cd web && plumb test && plumb module check

Exits with 0, or with 1 if the directory exists or the name is not valid.`,
  usage: '<name>',
  options: [
    { flags: '--target-dir <dir>', doc: 'Directory of the module. Default: NAME in the current directory.' },
    renderAs,
  ],
  async run({ args, options, io }) {
    const name = args[0]!.replace('/', '-')
    const short = getModuleFolderName(name)
    if (!isModuleSlug(name) || short !== short.toLowerCase()) throwIssue(issues.MODULE_SLUG_INVALID, { name: args[0]! })
    const root = resolve(options.targetDir ?? short)
    const files = createSkeleton(name)
    await writeFolder(root, files)
    const paths = Object.keys(files).sort()
    if (options.renderAs === 'json') io.out(`${JSON.stringify({ name, root, files: paths }, undefined, 2)}\n`)
    else io.out(`${paths.map((path) => `${toPrintable(join(root, path))}\n`).join('')}`)
    return 0
  },
})

/** Writes the files into a new folder in one step. Throws MODULE_EXISTS. */
async function writeFolder(root: string, files: Readonly<Record<string, string>>): Promise<void> {
  if (existsSync(root)) throwIssue(issues.MODULE_EXISTS, { folder: root })
  await mkdir(dirname(root), { recursive: true })
  const scratch = await mkdtemp(join(dirname(root), '.plumb-new-'))
  try {
    const folder = join(scratch, 'module')
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, path)), { recursive: true })
      await writeFile(join(folder, path), text)
    }
    await rename(folder, root)
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}
