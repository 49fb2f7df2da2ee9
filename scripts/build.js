// Compiles src/ to dist/, from nothing, bundles the command, and adds the declarations
// of the package's API and what Ruby starts from. What was made of the same files is left as it is.
import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { madeFrom } from './made-from.js'

/** Files that the code reads from beside itself. */
const data = ['language/module-functions/proven.json']
/** Folders of such files. */
const folders = ['server/pages/assets', 'workbench/spec/ruby']

const root = fileURLToPath(new URL('..', import.meta.url))
const stamp = join(root, 'dist', '.made-from')
const source = madeFrom(root)
if (existsSync(stamp) && readFileSync(stamp, 'utf8') === source) process.exit()

const typescript = dirname(createRequire(import.meta.url).resolve('typescript/package.json'))
rmSync(join(root, 'dist'), { recursive: true, force: true })
execFileSync(process.execPath, [join(typescript, 'bin', 'tsc'), '-p', root], { stdio: 'inherit' })
for (const folder of folders) cpSync(join(root, 'src', folder), join(root, 'dist', folder), { recursive: true })
for (const file of data) copyFileSync(join(root, 'src', file), join(root, 'dist', file))
const { declarationsOfApi } = await import('./declarations.js')
writeFileSync(join(root, 'dist', 'api.d.ts'), declarationsOfApi())
const { bundle, cacheCode } = await import('./bundle.js')
await bundle()
chmodSync(join(root, 'dist', 'main.js'), 0o755)
const { buildRuby, compileRuby } = await import('./build-ruby.js')
await buildRuby()
await compileRuby()
await cacheCode()
writeFileSync(stamp, source)
