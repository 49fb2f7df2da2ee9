module PlumbSpec
  # Compares versions as Puppet's `versioncmp` does. Spec files compare versions while they load.
  module Versions
    PART = /[-.]|\d+|[^-.\d]+/.freeze

    module_function

    def compare(one, other)
      one.scan(PART).zip(other.scan(PART)) do |left, right|
        break if right.nil?
        next if left == right

        return compare_parts(left, right)
      end
      one <=> other
    end

    def compare_parts(left, right)
      ['-', '.'].each do |separator|
        return -1 if left == separator
        return 1 if right == separator
      end
      numbers = [left, right].all? { |part| part.match?(/\A\d+\z/) && !part.start_with?('0') }
      numbers ? left.to_i <=> right.to_i : left.upcase <=> right.upcase
    end
  end
end
