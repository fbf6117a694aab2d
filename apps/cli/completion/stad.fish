# Completion of stad for fish: `stad complete` prints the candidates; without any, files are completed.
function __stad_complete
    set -l words (commandline -opc) (commandline -ct)
    $words[1] complete $words[2..-1] 2>/dev/null
end
complete -c stad -f -n 'test -n "$(__stad_complete)"' -a '(__stad_complete)'
