import type { Check } from '../check.ts'

const scheme = 'puppet://'

/** `puppet_url_without_modules` */
export const puppetUrlWithoutModules: Check = {
  name: 'puppet_url_without_modules',
  doc: 'The path of a puppet:// URL begins with modules/.',
  check(manifest, report) {
    for (const token of manifest.select('SSTRING', 'STRING', 'DQPRE')) {
      if (!token.value.startsWith(scheme) || isOfModule(token.value)) continue
      const fix = () => {
        token.value = addModules(token.value)
        return true
      }
      report({ severity: 'warning', message: 'puppet:// URL without modules/ found', at: token, fix })
    }
  },
}

/** The offset after the slash that ends the server of a URL; undefined if there is none in the line. */
function findPath(text: string, url: number): number | undefined {
  const slash = text.indexOf('/', url + scheme.length)
  const lineBreak = text.indexOf('\n', url)
  return slash === -1 || (lineBreak !== -1 && lineBreak < slash) ? undefined : slash + 1
}

function isOfModule(text: string): boolean {
  const path = findPath(text, 0)
  return path !== undefined && text.startsWith('modules/', path)
}

function addModules(text: string): string {
  let result = ''
  let done = 0
  for (let url = text.indexOf(scheme); url !== -1; url = text.indexOf(scheme, Math.max(done, url + 1))) {
    const path = findPath(text, url)
    if (path === undefined) continue
    result += `${text.slice(done, path)}modules/`
    done = path
  }
  return result + text.slice(done)
}
