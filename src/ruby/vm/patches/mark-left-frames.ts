import { asyncifyStates, type Patch, type RubyBinary } from './ruby-binary.ts'
import {
  add,
  all,
  body,
  type Code,
  call,
  get,
  isEqual,
  isLess,
  isZero,
  load,
  loopWhile,
  number,
  set,
  store,
  subtract,
  when,
} from './wasm-code.ts'

/** Marks objects referenced only by saved local variables of a fiber or a jump target. */
export const markLeftFrames: Patch = {
  name: 'mark-left-frames',
  purpose: 'The garbage collector keeps the objects of fibers that wait and of code that exceptions return to.',
  replacements(ruby) {
    ruby.expectCode('_rb_wasm_setjmp_internal', storeCaptured(ruby))
    return [[ruby.function('rb_execution_context_mark'), (original) => markContext(ruby, original)]]
  },
}

/** Returns code for `state = JMP_BUF_STATE_CAPTURED` in a jump buffer at an address. */
export function storeCaptured(ruby: RubyBinary): Code {
  return store([], ruby.offset('rb_wasm_jmp_buf.state'), ruby.constant('JMP_BUF_STATE_CAPTURED'))
}

/**
 * Marks an execution context, and the local variables that Asyncify saved for suspended fibers and
 * jump targets. Only for the collector: another visitor of references may trigger garbage
 * collection meanwhile, and this function cannot be suspended.
 */
function markContext(ruby: RubyBinary, original: number): Code {
  const [context, fiber, tag, jump] = [get(0), get(1), get(1), get(2)]
  const mark = (start: Code, end: Code): Code => ruby.call('rb_gc_mark_locations', start, end)
  const visitor = load(ruby.variable('ruby_current_vm_ptr'), ruby.offset('rb_vm_struct.gc.mark_func_data'))
  const saved = ruby.offset('rb_wasm_jmp_buf.setjmp_buf.buffer')
  const savedSize = ruby.size('__rb_wasm_asyncify_jmp_buf') - ruby.offset('__rb_wasm_asyncify_jmp_buf.buffer')
  const start = add(jump, number(saved))
  const end = load(jump, ruby.offset('rb_wasm_jmp_buf.dst_buf_top'))
  const fiberBuffer = ruby.offset('rb_fiber_struct.context.fc.asyncify_buf.buffer')
  const fiberEnd = ruby.offset('rb_fiber_struct.context.fc.asyncify_buf.top')
  return body(
    2,
    when(
      all(isEqual(ruby.asyncifyState, number(asyncifyStates.running)), isZero(visitor)),
      set(1, load(context, ruby.offset('rb_execution_context_struct.fiber_ptr'))),
      when(
        isEqual(add(fiber, number(ruby.offset('rb_fiber_struct.cont.saved_ec'))), context),
        mark(add(fiber, number(fiberBuffer)), load(fiber, fiberEnd)),
        set(1, load(context, ruby.offset('rb_execution_context_struct.tag'))),
        loopWhile(
          tag,
          set(2, load(tag, ruby.offset('rb_vm_tag.buf'))),
          when(
            all(
              isEqual(load(jump, ruby.offset('rb_wasm_jmp_buf.state')), ruby.constant('JMP_BUF_STATE_CAPTURED')),
              isLess(subtract(end, start), number(savedSize + 1)),
            ),
            mark(start, end),
          ),
          set(1, load(tag, ruby.offset('rb_vm_tag.prev'))),
        ),
      ),
    ),
    call(original, context),
  )
}
