import type { Patch, RubyBinary } from './ruby-binary.ts'
import { type Code, emitCall, emitFunctionBody, emitLoad, emitLocalGet, emitLocalSet, emitWhile } from './wasm-code.ts'

/** Frees the jump buffers of a fiber that is never resumed. */
export const freeFiberJumps: Patch = {
  name: 'free-fiber-jumps',
  purpose: 'A fiber that never ends frees 24 KiB for each block that it was left in.',
  replacements(ruby) {
    return [[ruby.function('fiber_free'), (original) => emitFreeFiber(ruby, original)]]
  },
}

function emitFreeFiber(ruby: RubyBinary, original: number): Code {
  const [fiber, tag, jump] = [emitLocalGet(0), emitLocalGet(1), emitLocalGet(2)]
  const innermost = ruby.offset('rb_fiber_struct.cont.saved_ec') + ruby.offset('rb_execution_context_struct.tag')
  return emitFunctionBody(
    2,
    emitLocalSet(1, emitLoad(fiber, innermost)),
    emitWhile(
      tag,
      emitLocalSet(2, emitLoad(tag, ruby.offset('rb_vm_tag.buf'))),
      emitLocalSet(1, emitLoad(tag, ruby.offset('rb_vm_tag.prev'))),
      ruby.call('ruby_xfree', jump),
    ),
    emitCall(original, fiber),
  )
}
