import { type Check, styleGuide } from '../check.ts'

/** `class_inherits_from_params_class` */
export const classInheritsFromParamsClass: Check = {
  name: 'class_inherits_from_params_class',
  doc: 'A class inherits no class of parameters.',
  isOptional: true,
  check({ classes }, report) {
    for (const { inherited } of classes) {
      if (!inherited?.value.endsWith('::params')) continue
      report({ severity: 'warning', message: 'class inheriting from params class', at: inherited })
    }
  },
}

/** `inherits_across_namespaces` */
export const inheritsAcrossNamespaces: Check = {
  name: 'inherits_across_namespaces',
  doc: 'A class inherits only classes of its own module.',
  helpUri: styleGuide('class-inheritance'),
  check({ classes }, report) {
    for (const { inherited, name } of classes) {
      if (!inherited || getModule(inherited.value) === getModule(name.value)) continue
      report({ severity: 'warning', message: 'class inherits across module namespaces', at: inherited })
    }
  },
}

const getModule = (name: string): string | undefined => name.split('::').find((part) => part !== '')
