// Writes the extension for Visual Studio Code: `node scripts/extension-vscode.js [FILE]`. The same code gives the same bytes.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { crc32, deflateRawSync } from 'node:zlib'
import { rolldown } from 'rolldown'

const root = fileURLToPath(new URL('../', import.meta.url))
const source = join(root, 'extensions/vscode')

const contentTypes = `<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension=".json" ContentType="application/json"/><Default Extension=".vsixmanifest" ContentType="text/xml"/><Default Extension=".js" ContentType="application/javascript"/><Default Extension=".md" ContentType="text/markdown"/><Default Extension=".txt" ContentType="text/plain"/></Types>
`

/** The manifest of the package, with the names of the extension's package.json. */
function createManifest({ name, publisher, version, displayName, description, categories, engines }) {
  return `<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
<Metadata>
<Identity Language="en-US" Id="${name}" Version="${version}" Publisher="${publisher}"/>
<DisplayName>${displayName}</DisplayName>
<Description xml:space="preserve">${description}</Description>
<Categories>${categories.join(',')}</Categories>
<Properties><Property Id="Microsoft.VisualStudio.Code.Engine" Value="${engines.vscode}"/></Properties>
<License>extension/LICENSE.txt</License>
</Metadata>
<Installation><InstallationTarget Id="Microsoft.VisualStudio.Code"/></Installation>
<Dependencies/>
<Assets>
<Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true"/>
<Asset Type="Microsoft.VisualStudio.Services.Content.Details" Path="extension/README.md" Addressable="true"/>
<Asset Type="Microsoft.VisualStudio.Services.Content.License" Path="extension/LICENSE.txt" Addressable="true"/>
</Assets>
</PackageManifest>
`
}

/** The code of the extension in one file, and the licenses of the packages in it. */
async function bundleExtension() {
  const build = await rolldown({ input: join(source, 'extension.js'), platform: 'node', external: ['vscode'] })
  const { output } = await build.generate({ format: 'cjs', minify: true, codeSplitting: false })
  const folders = output[0].moduleIds.map((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(id)?.[0])
  const packages = [...new Set(folders.filter((folder) => folder !== undefined))].sort()
  const licenses = packages.map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each))
    return `${name} ${version} (${license})\n\n${file === undefined ? '' : readFileSync(join(folder, file), 'utf8')}`
  })
  return { code: output[0].code, licenses: licenses.join('\n\n') }
}

/** A zip archive of files. Each entry has the oldest time of the format, so that the bytes depend on the files only. */
function createZip(files) {
  const bodies = []
  const directory = []
  let offset = 0
  for (const [name, content] of files) {
    const data = Buffer.from(content)
    const packed = deflateRawSync(data, { level: 9 })
    const fields = Buffer.alloc(26)
    fields.writeUInt16LE(20, 0)
    fields.writeUInt16LE(8, 4)
    fields.writeUInt16LE(0x21, 8)
    fields.writeUInt32LE(crc32(data), 10)
    fields.writeUInt32LE(packed.length, 14)
    fields.writeUInt32LE(data.length, 18)
    fields.writeUInt16LE(name.length, 22)
    const body = Buffer.concat([Buffer.from('PK\x03\x04'), fields, Buffer.from(name), packed])
    const tail = Buffer.alloc(14)
    tail.writeUInt32LE(offset, 10)
    directory.push(Buffer.from('PK\x01\x02'), Buffer.from([20, 0]), fields, tail, Buffer.from(name))
    bodies.push(body)
    offset += body.length
  }
  const list = Buffer.concat(directory)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(files.length, 4)
  end.writeUInt16LE(files.length, 6)
  end.writeUInt32LE(list.length, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([...bodies, list, Buffer.from('PK\x05\x06'), end])
}

const description = {
  ...JSON.parse(readFileSync(join(source, 'package.json'), 'utf8')),
  version: JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version,
}
const { code, licenses } = await bundleExtension()
const copied = ['README.md', ...readdirSync(source).filter((name) => /(?<!package)\.json$/.test(name))].sort()
const target = process.argv[2] ?? join(root, `extensions/vscode/plumbline-${description.version}.vsix`)
mkdirSync(dirname(target), { recursive: true })
writeFileSync(
  target,
  createZip([
    ['[Content_Types].xml', contentTypes],
    ['extension.vsixmanifest', createManifest(description)],
    ['extension/package.json', `${JSON.stringify(description, undefined, 2)}\n`],
    ['extension/extension.js', code],
    ['extension/LICENSE.txt', readFileSync(join(root, 'LICENSE'))],
    ['extension/THIRD-PARTY.txt', licenses],
    ...copied.map((name) => [`extension/${name}`, readFileSync(join(source, name))]),
  ]),
)
console.log(target)
