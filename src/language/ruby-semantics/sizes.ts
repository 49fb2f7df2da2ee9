import { budgets } from '../../base/budgets/budgets.ts'
import { refuse } from './argument-error.ts'

const { valueItems, valueText } = budgets.environment

/** A text within the bound of a value. Throws for a longer text. */
export function boundedText(text: string): string {
  if (text.length > valueText.bound) refuse(`String of more than ${valueText.bound} characters`)
  return text
}

/** A number of elements within the bound of a value. Throws for a larger number. */
export function boundedCount(count: number): number {
  if (count > valueItems.bound) refuse(`Array or Hash of more than ${valueItems.bound} elements`)
  return count
}

/** A width or precision of a format within the bound of a value's text. Throws for a larger width or precision. */
export function boundedWidth(width: number): number {
  if (width > valueText.bound) refuse(`String of more than ${valueText.bound} characters`)
  return width
}
