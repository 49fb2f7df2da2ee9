import { budgets } from '../../base/budgets/budgets.ts'
import { throwArgumentError } from './argument-error.ts'

const { valueItems, valueText } = budgets.environment

/** Returns the text. Throws if the text is longer than the limit for a value. */
export function requireBoundedText(text: string): string {
  if (text.length > valueText.bound) throwArgumentError(`String of more than ${valueText.bound} characters`)
  return text
}

/** Returns the number of elements. Throws if it exceeds the limit for a value. */
export function requireBoundedCount(count: number): number {
  if (count > valueItems.bound) throwArgumentError(`Array or Hash of more than ${valueItems.bound} elements`)
  return count
}

/** Returns the width or precision of a format. Throws if it exceeds the limit for the text of a value. */
export function requireBoundedWidth(width: number): number {
  if (width > valueText.bound) throwArgumentError(`String of more than ${valueText.bound} characters`)
  return width
}
