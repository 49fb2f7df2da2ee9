import { budgets } from '../../base/budgets/budgets.ts'
import { refuse } from './argument-error.ts'

const { valueItems, valueText } = budgets.environment

/** Returns the text. Throws if it is longer than a value may be. */
export function boundedText(text: string): string {
  if (text.length > valueText.bound) refuse(`String of more than ${valueText.bound} characters`)
  return text
}

/** Returns the number of elements. Throws if a value may not have that many. */
export function boundedCount(count: number): number {
  if (count > valueItems.bound) refuse(`Array or Hash of more than ${valueItems.bound} elements`)
  return count
}

/** Returns a format's width or precision. Throws if a value's text may not be that long. */
export function boundedWidth(width: number): number {
  if (width > valueText.bound) refuse(`String of more than ${valueText.bound} characters`)
  return width
}
