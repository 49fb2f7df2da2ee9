import { createHash } from 'node:crypto'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readProgramFile, resolveLibraryFile } from '../../base/program/program-files.ts'
import { createPageAddress, type PageAddress } from '../../base/text/html.ts'

/** A file that pages load. */
export interface Asset {
  readonly contentType: string
  readonly bytes: Buffer
}

/** The assets of pages. The address of each asset contains a digest of all assets. */
export interface AssetSet {
  readonly digest: string
  get(name: string): Asset | undefined
  address(name: string): PageAddress
}

const own = ['style.css', 'plumb.svg', 'times.js', 'charts.js', 'console.js', 'completion.js', 'facts.js', 'refresh.js']

/**
 * Files of the chart library, by the name in the asset's URL; the value is the name in the
 * library's package.
 */
const ofCharts = { 'uplot.js': 'uPlot.esm.js', 'uplot.css': 'uPlot.min.css' } as const

const contentTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css;charset=utf-8',
  '.js': 'text/javascript;charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** Reads all assets. */
export function readAssets(): AssetSet {
  const files = [
    ...own.map((name) => [name, fileURLToPath(new URL(`assets/${name}`, import.meta.url))] as const),
    ...Object.entries(ofCharts).map(([name, file]) => [name, resolveLibraryFile(`uplot/dist/${file}`)] as const),
  ]
  const assets = new Map(files.map(([name, file]) => [name, readAsset(name, file)]))
  const hash = createHash('sha256')
  for (const [name, { bytes }] of assets) hash.update(`${name}\0${bytes.length}\0`).update(bytes)
  const digest = hash.digest('hex').slice(0, 16)
  return { digest, get: (name) => assets.get(name), address: (name) => createPageAddress(['assets', digest, name]) }
}

function readAsset(name: string, file: string): Asset {
  return { contentType: contentTypes[extname(name)]!, bytes: readProgramFile(file) }
}
