import type { Definition } from '../../manifest/definitions.ts'
import { type Check, styleGuide } from '../check.ts'

const kindOf = ({ type }: Definition): string => (type === 'CLASS' ? 'class' : 'defined type')

/** `autoloader_layout` */
export const autoloaderLayout: Check = {
  name: 'autoloader_layout',
  doc: 'A class or defined type is in the file where Puppet looks for it.',
  helpUri: styleGuide('separate-files'),
  check({ definitions, fullPath, options }, report) {
    for (const { name } of definitions) {
      if (fullPath.endsWith(getExpectedPath(name.value, options.relative === true))) continue
      report({ severity: 'error', message: `${name.value} not in autoload module layout`, at: name })
    }
  },
}

function getExpectedPath(name: string, isRelative: boolean): string {
  const [module = '', ...rest] = name.split('::')
  const path = rest.length > 0 ? `/${module}/manifests/${rest.join('/')}.pp` : `/${name}/manifests/init.pp`
  return isRelative ? path.slice(1).split('/').slice(1).join('/') : path
}

/** `names_containing_dash` */
export const namesContainingDash: Check = {
  name: 'names_containing_dash',
  doc: 'The name of a class or defined type contains no dash.',
  check({ definitions }, report) {
    for (const each of definitions) {
      if (!each.name.value.includes('-')) continue
      report({ severity: 'error', message: `${kindOf(each)} name containing a dash`, at: each.name })
    }
  },
}

/** `names_containing_uppercase` */
export const namesContainingUppercase: Check = {
  name: 'names_containing_uppercase',
  doc: 'The name of a class or defined type contains no capital letter.',
  helpUri: 'https://puppet.com/docs/puppet/latest/modules_fundamentals.html#allowed-module-names',
  check({ definitions }, report) {
    for (const each of definitions) {
      const { name } = each
      if (!/[A-Z]/.test(name.value)) continue
      const message = `${kindOf(each)} '${name.value}' contains illegal uppercase`
      const fix = () => {
        name.value = name.value.toLowerCase()
        return true
      }
      report({ severity: 'error', message, at: name, fix })
    }
  },
}
