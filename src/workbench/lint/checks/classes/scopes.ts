import { isFormatting } from '../../tokens/token.ts'
import { type Check, styleGuide } from '../check.ts'

/** `code_on_top_scope` */
export const codeOnTopScope: Check = {
  name: 'code_on_top_scope',
  doc: 'A manifest contains no code outside classes and defined types.',
  isOptional: true,
  check({ tokens, definitions }, report) {
    const ends = new Map<number, number>()
    for (const { start, end } of definitions) ends.set(start, end)
    let end = -1
    tokens.forEach((token, index) => {
      end = Math.max(end, ends.get(index) ?? -1)
      if (index <= end || isFormatting(token.type)) return
      const message = `code outside of class or define block - ${token.value}`
      report({ severity: 'warning', message, at: token })
    })
  },
}

/** `nested_classes_or_defines` */
export const nestedClassesOrDefines: Check = {
  name: 'nested_classes_or_defines',
  doc: 'A class contains no definition of another class or defined type.',
  helpUri: styleGuide('nested-classes-or-defined-types'),
  check(manifest, report) {
    for (const { start, end } of manifest.classes) {
      const nested = manifest.index.selectRange(start + 1, end, 'CLASS', 'DEFINE')
      manifest.meter.spend(nested.length)
      for (const token of nested) {
        if (!token.nextCode || token.nextCode.type === 'LBRACE') continue
        const kind = token.type === 'CLASS' ? 'class' : 'defined type'
        report({ severity: 'warning', message: `${kind} defined inside a class`, at: token })
      }
    }
  },
}

/** `right_to_left_relationship` */
export const rightToLeftRelationship: Check = {
  name: 'right_to_left_relationship',
  doc: 'A chaining arrow points to the right.',
  helpUri: styleGuide('chaining-arrow-syntax'),
  check(manifest, report) {
    for (const at of manifest.select('OUT_EDGE'))
      report({ severity: 'warning', message: 'right-to-left (<-) relationship', at })
  },
}
