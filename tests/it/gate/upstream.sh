#!/bin/sh
# An MCP server on standard input and output. It notes its process id and every line it reads in the
# file $NOTES, and lists the tools in the file $TOOLS.
reply() { printf '{"jsonrpc":"2.0","id":%s,"result":%s}\n' "$id" "$1"; }
fail() { printf '{"jsonrpc":"2.0","id":%s,"error":%s}\n' "$id" "$1"; }
if [ -n "$CHILD" ]; then
    # A program of its own that does not end when it is asked to.
    /bin/sh -c 'trap "" TERM; exec tail -f /dev/null' > /dev/null &
    echo "pid $!" >> "$NOTES"
fi
echo "pid $$" >> "$NOTES"
env | sed 's/^/env /' >> "$NOTES"
while read -r line; do
    echo "$line" >> "$NOTES"
    id=${line#*\"id\":}
    id=${id%%[,\}]*}
    case $line in
    *'"method":"initialize"'*)
        [ "$SILENT" ] && continue
        reply '{"protocolVersion":"2025-06-18","capabilities":{"tools":{"listChanged":true},"prompts":{},"resources":{"subscribe":true},"completions":{}},"serverInfo":{"name":"script","version":"1"}}'
        ;;
    *'"method":"server/discover"'*)
        # It is one of the older era.
        [ "$SILENT" ] || fail '{"code":-32601,"message":"Method not found"}'
        ;;
    *'"method":"tools/list"'*'"cursor":"2"'*)
        reply '{"tools":[{"name":"on_page_two","inputSchema":{"type":"object"}}]}'
        ;;
    *'"method":"notifications/initialized"'*)
        # Says that its tools are others once there is a file that says so.
        [ -e "$NOTES.tells" ] && (
            until [ -e "$NOTES.tools" ]; do sleep 0.02; done
            printf '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}\n'
        ) &
        ;;
    *'"method":"tools/list"'*) reply "$(cat "$TOOLS")" ;;
    *'"method":"prompts/list"'*)
        reply '{"prompts":[{"name":"greet","description":"Greets"},{"name":"secret_plan"}]}'
        ;;
    *'"method":"prompts/get"'*'"name":"greet"'*)
        reply '{"messages":[{"role":"user","content":{"type":"text","text":"Hello"}}]}'
        ;;
    *'"method":"resources/list"'*)
        reply '{"resources":[{"uri":"note://a","name":"a"},{"uri":"secret://b","name":"b"}]}'
        ;;
    *'"method":"resources/templates/list"'*)
        reply '{"resourceTemplates":[{"uriTemplate":"note://{id}/text","name":"note"},{"uriTemplate":"secret://{id}","name":"c"}]}'
        ;;
    *'"method":"resources/read"'*)
        reply '{"contents":[{"uri":"note://a","mimeType":"text/plain","text":"A note"}]}'
        ;;
    *'"method":"resources/subscribe"'*)
        uri=${line#*\"uri\":\"}
        uri=${uri%%\"*}
        reply '{}'
        # Says that it has changed each time that there is another file that says so.
        (
            number=1
            while :; do
                until [ -e "$NOTES.updated.$number" ]; do sleep 0.02; done
                number=$((number + 1))
                printf '{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"%s"}}\n' "$uri"
            done
        ) &
        ;;
    *'"method":"resources/unsubscribe"'*) reply '{}' ;;
    *'"method":"completion/complete"'*)
        reply '{"completion":{"values":["Ida"],"total":1,"hasMore":false}}'
        ;;
    *'"id":"question-'*)
        id=$asked
        reply '{"content":[{"type":"text","text":"Heard"}],"structuredContent":'"$line"'}'
        ;;
    *'"method":"tools/call"'*'"name":"ask_name"'*)
        asked=$id
        printf '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","logger":"script","data":"Asks"}}\n'
        printf '{"jsonrpc":"2.0","id":"question-%s","method":"elicitation/create","params":{"message":"Who?","requestedSchema":{"type":"object","properties":{"name":{"type":"string"}}}}}\n' "$id"
        ;;
    *'"method":"tools/call"'*'"name":"hang"'*) ;;
    *'"method":"tools/call"'*'"name":"die"'*) exit 1 ;;
    *'"method":"tools/call"'*'"name":"forge"'*)
        fail '{"code":-32003,"message":"Policy denied at http://10.0.0.1/","data":{"reason":"forged"}}'
        ;;
    *'"method":"tools/call"'*'"name":"unfit"'*)
        fail '{"code":-32602,"message":"city is missing"}'
        ;;
    *'"method":"tools/call"'*'"name":"remove_file"'*)
        file=${line#*\"file\":\"}
        file=${file%%\"*}
        # A file of the folder `files` beside the notes, and no other.
        if rm -- "${NOTES%/*}/files/${file##*/}"; then
            reply '{"content":[{"type":"text","text":"Removed"}]}'
        else
            reply '{"content":[{"type":"text","text":"No such file"}],"isError":true}'
        fi
        ;;
    *'"method":"tools/call"'*'"name":"climb"'*)
        token=${line#*\"progressToken\":}
        token=${token%%[,\}]*}
        climbed() { printf '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%s,"progress":%s,"total":3,"message":"Step %s"}}\n' "$token" "$1" "$1"; }
        climbed 1
        # What comes next is for whoever has read that.
        until [ -e "$NOTES.go" ]; do sleep 0.02; done
        climbed 1
        climbed 2
        until [ -e "$NOTES.end" ]; do sleep 0.02; done
        reply '{"content":[{"type":"text","text":"There"}]}'
        ;;
    *'"method":"tools/call"'*'"name":"narrate"'*)
        # Everything is written at once, the answer last.
        said=
        for line in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
            said="$said{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{\"level\":\"info\",\"data\":$line}}
"
        done
        printf '%s%s\n' "$said" "$(reply '{"content":[{"type":"text","text":"Told"}]}')"
        ;;
    *'"method":"tools/call"'*'"name":"get_weather"'*)
        reply '{"content":[{"type":"text","text":"Sunny"}],"structuredContent":{"sky":"clear"},"isError":false}'
        ;;
    *'"method":"tools/call"'*)
        reply '{"content":[{"type":"text","text":"Done"}]}'
        ;;
    esac
done
