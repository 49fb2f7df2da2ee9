import { asyncifyStates, type Patch, type RubyBinary } from './ruby-binary.ts'
import {
  type Code,
  emitAdd,
  emitAll,
  emitCall,
  emitConst,
  emitEqual,
  emitFunctionBody,
  emitIf,
  emitIsLess,
  emitIsZero,
  emitLoad,
  emitLocalGet,
  emitLocalSet,
  emitStore,
  emitSubtract,
  emitWhile,
} from './wasm-code.ts'

/** Marks objects referenced only by saved local variables of a fiber or a jump target. */
export const markLeftFrames: Patch = {
  name: 'mark-left-frames',
  purpose: 'The garbage collector keeps the objects of fibers that wait and of code that exceptions return to.',
  replacements(ruby) {
    ruby.expectCode('_rb_wasm_setjmp_internal', emitCapturedState(ruby))
    return [[ruby.function('rb_execution_context_mark'), (original) => emitMarkContext(ruby, original)]]
  },
}

/** Returns code for `state = JMP_BUF_STATE_CAPTURED` in a jump buffer at an address. */
export function emitCapturedState(ruby: RubyBinary): Code {
  return emitStore([], ruby.offset('rb_wasm_jmp_buf.state'), ruby.constant('JMP_BUF_STATE_CAPTURED'))
}

/**
 * Marks an execution context, and the local variables that Asyncify saved for suspended fibers and
 * jump targets. Only for the collector: another visitor of references may trigger garbage
 * collection meanwhile, and this function cannot be suspended.
 */
function emitMarkContext(ruby: RubyBinary, original: number): Code {
  const [context, fiber, tag, jump] = [emitLocalGet(0), emitLocalGet(1), emitLocalGet(1), emitLocalGet(2)]
  const emitMarkLocations = (start: Code, end: Code): Code => ruby.call('rb_gc_mark_locations', start, end)
  const visitor = emitLoad(ruby.variable('ruby_current_vm_ptr'), ruby.offset('rb_vm_struct.gc.mark_func_data'))
  const saved = ruby.offset('rb_wasm_jmp_buf.setjmp_buf.buffer')
  const savedSize = ruby.size('__rb_wasm_asyncify_jmp_buf') - ruby.offset('__rb_wasm_asyncify_jmp_buf.buffer')
  const start = emitAdd(jump, emitConst(saved))
  const end = emitLoad(jump, ruby.offset('rb_wasm_jmp_buf.dst_buf_top'))
  const fiberBuffer = ruby.offset('rb_fiber_struct.context.fc.asyncify_buf.buffer')
  const fiberEnd = ruby.offset('rb_fiber_struct.context.fc.asyncify_buf.top')
  return emitFunctionBody(
    2,
    emitIf(
      emitAll(emitEqual(ruby.asyncifyState, emitConst(asyncifyStates.running)), emitIsZero(visitor)),
      emitLocalSet(1, emitLoad(context, ruby.offset('rb_execution_context_struct.fiber_ptr'))),
      emitIf(
        emitEqual(emitAdd(fiber, emitConst(ruby.offset('rb_fiber_struct.cont.saved_ec'))), context),
        emitMarkLocations(emitAdd(fiber, emitConst(fiberBuffer)), emitLoad(fiber, fiberEnd)),
        emitLocalSet(1, emitLoad(context, ruby.offset('rb_execution_context_struct.tag'))),
        emitWhile(
          tag,
          emitLocalSet(2, emitLoad(tag, ruby.offset('rb_vm_tag.buf'))),
          emitIf(
            emitAll(
              emitEqual(emitLoad(jump, ruby.offset('rb_wasm_jmp_buf.state')), ruby.constant('JMP_BUF_STATE_CAPTURED')),
              emitIsLess(emitSubtract(end, start), emitConst(savedSize + 1)),
            ),
            emitMarkLocations(start, end),
          ),
          emitLocalSet(1, emitLoad(tag, ruby.offset('rb_vm_tag.prev'))),
        ),
      ),
    ),
    emitCall(original, context),
  )
}
