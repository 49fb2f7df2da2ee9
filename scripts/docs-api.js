// Checks the package's API with API Extractor, where a warning is an error, and writes its declarations into docs/api.md;
// with --check it writes nothing, and a page that is not up to date is an error, too. With --model FILE it keeps the model
// that documentation tools read.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { Extractor, ExtractorConfig, ExtractorLogLevel } from '@microsoft/api-extractor'
import { declarationsOfApi } from './declarations.js'

const root = dirname(fileURLToPath(new URL('.', import.meta.url)))
const { check, model } = parseArgs({ options: { check: { type: 'boolean' }, model: { type: 'string' } } }).values
const declarations = declarationsOfApi()
if (!isSound()) {
  console.error('The API of the package has defects: see above.')
  process.exitCode = 1
}
const page = join(root, 'docs/api.md')
const text = readFileSync(page, 'utf8')
const written = text.replace(/(<!-- api: .* -->\n)[\s\S]*(<!-- end of api -->)/, (_, begin, end) =>
  [
    begin,
    '```ts',
    declarations
      .trim()
      .replace(/^ \* @public\n/gm, '')
      .replaceAll('\n/**', '\n\n/**'),
    '```',
    end,
  ].join('\n'),
)
if (!check) writeFileSync(page, written)
else if (written !== text) {
  console.error('docs/api.md is not up to date: npm run docs:api')
  process.exitCode = 1
}

/** True when API Extractor finds nothing to say: each export has its sentence, and names exported things only. */
function isSound() {
  const scratch = mkdtempSync(join(tmpdir(), 'plumb-api-'))
  try {
    const entry = join(scratch, 'api.d.ts')
    writeFileSync(entry, declarations)
    const compilerOptions = { module: 'nodenext', target: 'es2023', lib: ['es2023'], types: [] }
    /** @type {import('@microsoft/api-extractor').IConfigMessageReportingTable} */
    const all = { default: { logLevel: ExtractorLogLevel.Error } }
    const config = ExtractorConfig.prepare({
      configObjectFullPath: undefined,
      packageJsonFullPath: join(root, 'package.json'),
      configObject: {
        projectFolder: scratch,
        mainEntryPointFilePath: entry,
        compiler: { overrideTsconfig: { compilerOptions, files: [entry] } },
        apiReport: {
          enabled: true,
          reportFileName: 'plumbline.api.md',
          reportFolder: scratch,
          reportTempFolder: join(scratch, 'report'),
        },
        docModel: { enabled: true, apiJsonFilePath: model ? resolve(model) : join(scratch, 'plumbline.api.json') },
        messages: {
          compilerMessageReporting: all,
          extractorMessageReporting: { ...all, 'ae-undocumented': { logLevel: ExtractorLogLevel.Error } },
          tsdocMessageReporting: all,
        },
      },
    })
    const { errorCount, warningCount } = Extractor.invoke(config, { localBuild: true, messageCallback: quietly })
    return errorCount + warningCount === 0
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

/** The report is made for its messages only, anew each time; the version of TypeScript is nobody's concern. */
function quietly(message) {
  if (/^console-(api-report|preamble|compiler-version)/.test(message.messageId)) message.logLevel = 'none'
}
