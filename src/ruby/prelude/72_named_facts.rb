# Facts that the code of modules names one by one: where a file says `scope['facts']['os']['family']`, it reads that one, and not
# all that Puppet hands out, some of which differ from one run to the next.
module Plumb
  module NamedFacts
    # By path: a file's instructions, or the keys that it names by the node of its code; nothing where it was read twice.
    FILES = {}

    module_function

    def watch
      TracePoint.new(:script_compiled) { |point| compiled(point.instruction_sequence) unless point.eval_script }.enable
    end

    def compiled(code)
      FILES[code.path] = FILES.key?(code.path) ? nil : code if Changes.of_modules?(code.path)
    end

    # The keys that code at a place reads, those that lead to one fact behind `facts`; nothing where it may read others.
    def keys_at(place)
      found = FILES[place.path] or return
      found = FILES[place.path] = keys_in(found.to_a, {}) unless found.is_a?(Hash)
      found[RubyVM::AbstractSyntaxTree.node_id_for_backtrace_location(place)]
    end

    # As RubyVM::InstructionSequence#to_a has them: between the instructions stand lines, events, and labels to jump to.
    def keys_in(code, found)
      code[12].each { |_, handler| keys_in(handler, found) if code?(handler) }
      nodes = code[4][:node_ids].each
      steps = code[13].filter_map { |each| each.is_a?(Array) ? [each, nodes.next] : (:label if each.to_s.start_with?('label')) }
      steps.each_with_index do |(instruction, node), index|
        next unless node

        instruction.each { |operand| keys_in(operand, found) if code?(operand) }
        keys = behind(steps, index + 1) if names_facts?(instruction, steps, index)
        found[node] = found.key?(node) ? nil : ['facts', *keys] if keys&.any?
      end
      found
    end

    def code?(operand) = operand.is_a?(Array) && operand[0] == 'YARVInstructionSequence/SimpleDataFormat'

    # `…['facts']` or `lookupvar('facts')`.
    def names_facts?(instruction, steps, index)
      return instruction[1] == 'facts' if instruction[0] == :opt_aref_with

      call = call_of(instruction)
      call && %i[[] lookupvar].include?(call[:mid]) && call[:orig_argc] == 1 && text_of(steps, index - 1) == 'facts'
    end

    # The keys that are read one behind the other, from a step on.
    def behind(steps, index)
      keys = []
      loop do
        texts = texts_from(steps, index)
        instruction, = steps[index + texts.size]
        if texts.empty? && instruction.is_a?(Array) && instruction[0] == :opt_aref_with then keys << instruction[1]
        elsif reads?(instruction, texts) then keys.concat(texts)
        else return keys
        end
        index += texts.size + 1
      end
    end

    # True for `[]` with one text, and for `dig` with some.
    def reads?(instruction, texts)
      call = call_of(instruction)
      return false unless call && call[:orig_argc] == texts.size && texts.any?

      call[:mid] == :dig || (call[:mid] == :[] && texts.size == 1)
    end

    def texts_from(steps, index)
      texts = []
      while (text = text_of(steps, index + texts.size))
        texts << text
      end
      texts
    end

    def text_of(steps, index)
      instruction, = steps[index] if index >= 0
      instruction[1] if instruction.is_a?(Array) && %i[putobject putstring putchilledstring].include?(instruction[0]) && instruction[1].is_a?(String)
    end

    # A call without a block, a splat or names: its arguments are what stands before it.
    def call_of(instruction)
      return unless instruction.is_a?(Array) && %i[opt_aref opt_send_without_block].include?(instruction[0])

      call = instruction[1]
      call if (call[:flag] & ~SIMPLE).zero?
    end

    # `FCALL` (4) and `ARGS_SIMPLE` (16) of Ruby's vm_callinfo.h.
    SIMPLE = 4 | 16
  end
end
