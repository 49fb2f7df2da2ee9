import type { Patch, RubyBinary } from './ruby-binary.ts'
import { body, type Code, call, get, load, loopWhile, set } from './wasm-code.ts'

/** Frees the jump buffers of a fiber that is never resumed. */
export const freeFiberJumps: Patch = {
  name: 'free-fiber-jumps',
  purpose: 'A fiber that never ends frees 24 KiB for each block that it was left in.',
  replacements(ruby) {
    return [[ruby.function('fiber_free'), (original) => freeFiber(ruby, original)]]
  },
}

function freeFiber(ruby: RubyBinary, original: number): Code {
  const [fiber, tag, jump] = [get(0), get(1), get(2)]
  const innermost = ruby.offset('rb_fiber_struct.cont.saved_ec') + ruby.offset('rb_execution_context_struct.tag')
  return body(
    2,
    set(1, load(fiber, innermost)),
    loopWhile(
      tag,
      set(2, load(tag, ruby.offset('rb_vm_tag.buf'))),
      set(1, load(tag, ruby.offset('rb_vm_tag.prev'))),
      ruby.call('ruby_xfree', jump),
    ),
    call(original, fiber),
  )
}
