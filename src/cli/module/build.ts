import { join, resolve } from 'node:path'
import { toPrintable } from '../../base/text/printable.ts'
import { buildPackage } from '../../deploy/module-tool/module-package.ts'
import { defineCommand } from '../command/command.ts'
import { renderAs } from '../command/options.ts'
import { findModuleRoot } from './module-context.ts'

/** The command `plumb module build`. */
export const buildCommand = defineCommand({
  name: 'build',
  summary: 'Build the package of a module for the Forge.',
  description: `Writes pkg/OWNER-NAME-VERSION.tar.gz with the files of the module. Excludes hidden files, pkg, vendor, coverage,
spec/fixtures/modules, and the patterns in .pdkignore, .pmtignore or .gitignore, whichever exists first. The same
files give the same bytes. Symlinks are errors.

  plumb module build
  plumb module build modules/web --target-dir /tmp

Exits with 0, or with 1 if the package was not built.`,
  usage: '[path]',
  options: [{ flags: '--target-dir <dir>', doc: 'Directory of the package. Default: pkg in the module.' }, renderAs],
  async run({ args, options, io }) {
    const root = findModuleRoot(args[0] ?? '.')
    const built = await buildPackage(root, resolve(options.targetDir ?? join(root, 'pkg')))
    if (options.renderAs === 'json') io.out(`${JSON.stringify(built, undefined, 2)}\n`)
    else io.out(`Built ${toPrintable(built.file)} with ${built.files} files\n`)
    return 0
  },
})
