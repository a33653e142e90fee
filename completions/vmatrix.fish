# fish completion for vmatrix

# The matrix that the command line names, as options.
function __vmatrix_matrix
    set -l words (commandline -opc)
    set -l at (contains -i -- --matrix $words)
    and test $at -lt (count $words)
    and printf '%s\n' --matrix $words[(math $at + 1)]
end

# Ids of a kind.
function __vmatrix_ids
    set -l program (commandline -opc)[1]
    $program matrix list $argv[1] (__vmatrix_matrix) 2>/dev/null | string match -v 'ID *' | string replace -r ' .*' ''
end

function __vmatrix_kinds
    set -l program (commandline -opc)[1]
    $program matrix list 2>/dev/null | string match -v 'KIND *' | string replace -r '^(\S+)\s+\S+\s+(.*)' '$1\t$2'
end

set -l subcommands lint fmt list show stats table schema
set -l in_matrix "__fish_seen_subcommand_from matrix; and not __fish_seen_subcommand_from $subcommands"

complete -c vmatrix -f
complete -c vmatrix -l format -x -a 'text json yaml' -d 'How the answer is written'
complete -c vmatrix -n '__fish_seen_subcommand_from table list' -l format -x -a 'markdown csv html' -d 'How the answer is written'
complete -c vmatrix -s q -l quiet -d 'Only errors and the answer'
complete -c vmatrix -s h -l help -d 'Show help'
complete -c vmatrix -n __fish_use_subcommand -l version -d 'Show the version'
complete -c vmatrix -n __fish_use_subcommand -a resolve -d 'Find what works together on a host'
complete -c vmatrix -n __fish_use_subcommand -a explain -d 'Tell why this stack, or why none'
complete -c vmatrix -n __fish_use_subcommand -a check -d 'Judge a given stack'
complete -c vmatrix -n __fish_use_subcommand -a matrix -d 'Look at the matrix, check it, format it'

complete -c vmatrix -n '__fish_seen_subcommand_from matrix resolve explain check' -l matrix -x -a '(__fish_complete_directories)' -d 'The folder of the matrix'

set -l on_host "__fish_seen_subcommand_from resolve explain check; and not __fish_seen_subcommand_from matrix"
complete -c vmatrix -n "$on_host" -l gpu -x -a '(__vmatrix_ids gpu-names; __vmatrix_ids architectures)' -d 'Card; repeat it for several cards in one host'
complete -c vmatrix -n "$on_host" -l driver -x -d 'Driver of the host'
complete -c vmatrix -n "$on_host" -l os -x -a "(__vmatrix_ids os-releases | string replace -r -- '-([^-]*)\$' ':\$1')" -d 'Operating system'
complete -c vmatrix -n "$on_host" -l kernel -x -d 'Kernel, as uname -r says'
complete -c vmatrix -n "$on_host" -l python -x -a "(__vmatrix_ids python-releases | string replace python- '')" -d Python
complete -c vmatrix -n "$on_host" -l env -x -d 'Variable of the environment: NAME=VALUE'
complete -c vmatrix -n "$on_host" -l image -x -d 'Container image that it runs in'
complete -c vmatrix -n "$on_host" -l from -r -F -d 'File with what is wanted: requirements.txt, pyproject.toml, Dockerfile'
complete -c vmatrix -n "$on_host" -l cuda -x -d 'CUDA that the framework uses'
complete -c vmatrix -n "$on_host" -l rocm -x -d 'ROCm that the framework uses'
complete -c vmatrix -n "$on_host" -l explain -d 'Show every reason with its sources'
complete -c vmatrix -n '__fish_seen_subcommand_from resolve' -l with -x -a '(__vmatrix_ids components)' -d 'Package that is wanted'
complete -c vmatrix -n '__fish_seen_subcommand_from resolve' -l alternatives -x -d 'How many further stacks to show'
set -l choosing '__fish_seen_subcommand_from resolve explain; and not __fish_seen_subcommand_from matrix'
complete -c vmatrix -n "$choosing" -l policy -x -a 'best-evidence newest oldest-supported smallest-change' -d 'What is better among stacks that work'
complete -c vmatrix -n "$choosing" -l min-evidence -x -a 'supported expected workaround unknown' -d 'Offer nothing that is known less well'
complete -c vmatrix -n "$choosing" -l prefer -x -d 'Take it where all else allows'
complete -c vmatrix -n "$choosing" -l exclude -x -d 'Never take it'
complete -c vmatrix -n '__fish_seen_subcommand_from check explain; and not __fish_seen_subcommand_from matrix' -a '(__vmatrix_ids components)'

complete -c vmatrix -n "$in_matrix" -a lint -d 'Report every mistake of every file'
complete -c vmatrix -n "$in_matrix" -a fmt -d 'Bring files into the one canonical form'
complete -c vmatrix -n "$in_matrix" -a list -d 'List facts of a kind, or the kinds'
complete -c vmatrix -n "$in_matrix" -a show -d 'Show what is known of a GPU, a release, a build or any other fact'
complete -c vmatrix -n "$in_matrix" -a stats -d 'Count facts by kind and confidence, and what is missing'
complete -c vmatrix -n "$in_matrix" -a table -d 'Print what works together on which card, and what does not'
complete -c vmatrix -n "$in_matrix" -a schema -d 'Print the JSON Schema of matrix files'

complete -c vmatrix -n '__fish_seen_subcommand_from fmt' -l check -d 'Change nothing; exit with 1 if a file is not in canonical form'
complete -c vmatrix -n '__fish_seen_subcommand_from fmt' -a '(__fish_complete_suffix .yaml)'

complete -c vmatrix -n '__fish_seen_subcommand_from list' -a '(__vmatrix_kinds)'
complete -c vmatrix -n '__fish_seen_subcommand_from list' -l arch -x -a '(__vmatrix_ids architectures)' -d 'Only this architecture'
complete -c vmatrix -n '__fish_seen_subcommand_from list' -l vendor -x -a '(__vmatrix_ids vendors)' -d 'Only this vendor'
complete -c vmatrix -n '__fish_seen_subcommand_from list' -l component -x -a '(__vmatrix_ids components)' -d 'Only this component'
complete -c vmatrix -n '__fish_seen_subcommand_from list' -l where -x -d 'Only facts whose field has this text: FIELD=TEXT'

complete -c vmatrix -n '__fish_seen_subcommand_from show' -a '(__vmatrix_ids gpu-names; __vmatrix_ids architectures)'
complete -c vmatrix -n '__fish_seen_subcommand_from show' -l sources -d 'With the title and address of every source'

complete -c vmatrix -n '__fish_seen_subcommand_from table' -l gpu -x -a '(__vmatrix_ids gpu-names; __vmatrix_ids architectures)' -d 'Only this card'
complete -c vmatrix -n '__fish_seen_subcommand_from table' -l package -x -a '(__vmatrix_ids components)' -d 'The package that the table is about'

complete -c vmatrix -n '__fish_seen_subcommand_from schema' -l fields -d 'The fields of all kinds as Markdown tables'
